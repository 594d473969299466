#!/bin/bash
# Builds the fuzz targets with clang's libFuzzer, ASan and UBSan, and runs each for SECONDS:
#
#     tests/fuzz/run.sh [-b BUILD] SECONDS [TARGET...]
#
# Inputs found are kept in BUILD/corpus/<target> and used the next time. An input that breaks a target
# is left in BUILD/faults/<target>-...: mend the fault, and put the input into testdata/hostile/<target>
# under the fault's name, where every build's tests replay it. Prints a line a target: executions, inputs
# kept, faults. Exit code 1 if there was a fault. Needs clang and its runtime (clang, libclang-rt-14-dev);
# without them it says so and ends with 77.
set -u
cd "$(dirname "$0")/../.." || exit 1
build=build-fuzz
if [ "${1-}" = -b ]; then
	build=$2
	shift 2
fi
seconds=${1:?usage: tests/fuzz/run.sh [-b BUILD] SECONDS [TARGET...]}
shift
targets=${*:-decode trace pages archive metadata samples table names saved}

if ! echo 'int LLVMFuzzerTestOneInput(const char *p, long n) { return p && n < 0; }' |
	clang -x c -fsanitize=fuzzer,address - -o /dev/null 2>/dev/null; then
	echo "skipped: no clang with libFuzzer here (packages clang, libclang-rt-14-dev)"
	exit 77
fi
if [ ! -d "$build" ]; then
	CC=clang CXX=clang++ meson setup "$build" -Dfuzz=true -Db_sanitize=address,undefined -Db_lundef=false \
		-Dbuildtype=debugoptimized >/dev/null || exit 1
fi
ninja -C "$build" tests/fuzz/seeds.stamp $(printf 'tests/fuzz/fuzz_%s ' $targets) >"$build/ninja.log" || {
	tail -30 "$build/ninja.log"
	exit 1
}
mkdir -p "$build/faults"
fault=0
for target in $targets; do
	corpus=$build/corpus/$target log=$build/$target.log
	mkdir -p "$corpus"
	# Bounds: 1 GiB in all, 10 s an input. Sanitizers report to the log.
	UBSAN_OPTIONS=halt_on_error=1:print_stacktrace=1 \
		nice -n 10 "$build/tests/fuzz/fuzz_$target" -max_total_time="$seconds" -timeout=10 \
		-rss_limit_mb=1024 -max_len=16384 -len_control=20 -print_final_stats=1 -close_fd_mask=1 \
		-artifact_prefix="$build/faults/$target-" \
		"$corpus" "$build/tests/fuzz/seeds/$target" "testdata/hostile/$target" >"$log" 2>&1
	status=$?
	awk -v target="$target" -v seconds="$seconds" -v kept="$(ls "$corpus" | wc -l)" -v status="$status" '
		/^stat::number_of_executed_units/ { executed = $2 }
		/^stat::peak_rss_mb/ { rss = $2 }
		/cov: [0-9]+/ { match($0, /cov: [0-9]+/); cov = substr($0, RSTART + 5, RLENGTH - 5) }
		END { printf "%-9s %9d executions in %d s, %5d inputs kept, %5d edges, %4d MB%s\n", target,
			executed, seconds, kept, cov, rss, status ? ": FAULT, see " FILENAME : "" }' "$log"
	[ "$status" -eq 0 ] || fault=1
done
exit $fault
