#!/bin/bash -eu
# Builds the fuzz targets as fuzzing services ask for it, with what they set: CC, CFLAGS,
# LIB_FUZZING_ENGINE, SRC (the clone is $SRC/btviz), WORK, OUT. Leaves in OUT each target as btviz_TARGET,
# its first inputs as btviz_TARGET_seed_corpus.zip, and its dictionary where it has one.
cd "$SRC/btviz"
export CC CFLAGS
meson setup "$WORK/build" -Dfuzz=true -Dfuzz_engine="$LIB_FUZZING_ENGINE" -Db_lundef=false \
	-Ddefault_library=static --buildtype=plain
ninja -C "$WORK/build" tests/fuzz/seeds.stamp \
	$(ninja -C "$WORK/build" -t targets all | sed -n 's|^\(tests/fuzz/fuzz_[a-z0-9_]*\): .*|\1|p')
for program in "$WORK"/build/tests/fuzz/fuzz_*; do
	[ -f "$program" ] && [ -x "$program" ] || continue
	target=${program##*/fuzz_}
	cp "$program" "$OUT/btviz_$target"
	inputs=("$WORK/build/tests/fuzz/seeds/$target")
	[ ! -d "testdata/hostile/$target" ] || inputs+=("testdata/hostile/$target")
	zip -q -j -r "$OUT/btviz_${target}_seed_corpus.zip" "${inputs[@]}"
	[ ! -e "tests/fuzz/dict/$target.dict" ] || cp "tests/fuzz/dict/$target.dict" "$OUT/btviz_$target.dict"
done
