# The lines of real recordings are blkparse's, byte for byte: sums of what blkparse -q 1.2.0 prints.
sum() {
	btviz events -t "$TESTDATA/real/$1.tar.xz" | md5sum | cut -c1-32
}
for name in $(cut -d' ' -f2 "$TESTDATA/real/blkparse-lines.md5"); do
	want=$(grep " $name\$" "$TESTDATA/real/blkparse-lines.md5" | cut -d' ' -f1)
	[ "$(sum "$name")" = "$want" ] || echo "$name differs from blkparse"
done
# nobody reads on: no complaint, no failure
btviz events -t "$TESTDATA/real/raid0-bad.tar.xz" | head -2
[ ! -w /dev/full ] || { btviz events -t "$TESTDATA/real/partition.tar.xz" > /dev/full || echo "full: $?"; } 2>&1
