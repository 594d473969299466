#!/bin/bash
# Builds the fuzz targets with clang's libFuzzer, ASan and UBSan, and runs them:
#
#     tests/fuzz/run.sh [-b BUILD] SECONDS [TARGET...]    each for so long, one after the other
#     tests/fuzz/run.sh [-b BUILD] always [TARGET...]     as continuous integration does
#
# With "always" each target tries a fixed number of inputs, from the seeds alone and with a fixed seed for
# its choices, two targets at a time: the same inputs each time, about two minutes in all. With SECONDS the
# inputs found are kept in BUILD/corpus/<target> and used the next time. An input that breaks a target is
# left in BUILD/faults/<target>-...: mend the fault, and put the input into testdata/hostile/<target> under
# the fault's name, where every build's tests replay it. Prints a line a target: executions, time, inputs
# kept, edges, memory, faults. Exit code 1 if there was a fault. Needs clang and its runtime (clang,
# libclang-rt-14-dev); without them it says so and ends with 77.
set -u
cd "$(dirname "$0")/../.." || exit 1
build=build-fuzz
if [ "${1-}" = -b ]; then
	build=$2
	shift 2
fi
length=${1:?usage: tests/fuzz/run.sh [-b BUILD] SECONDS|always [TARGET...]}
shift

# What "always" tries of each, the longest first.
declare -A runs=([draw]=1200 [trace]=2000 [archive]=4000 [saved]=2500 [pages]=15000 [decode]=25000 [table]=12000
	[samples]=60000 [metadata]=60000 [names]=60000)
targets=${*:-draw trace archive saved pages decode table samples metadata names}

if ! echo 'int LLVMFuzzerTestOneInput(const char *p, long n) { return p && n < 0; }' |
	clang -x c -fsanitize=fuzzer,address - -o /dev/null 2>/dev/null; then
	echo "skipped: no clang with libFuzzer here (packages clang, libclang-rt-14-dev)"
	exit 77
fi
if [ ! -d "$build" ]; then
	CC=${CC_FUZZ-clang} CXX=clang++ meson setup "$build" -Dfuzz=true -Db_sanitize=address,undefined \
		-Db_lundef=false -Dbuildtype=debugoptimized >/dev/null || exit 1
fi
ninja -C "$build" tests/fuzz/seeds.stamp $(printf 'tests/fuzz/fuzz_%s ' $targets) >"$build/ninja.log" || {
	tail -30 "$build/ninja.log"
	exit 1
}

# Most of the time went into libFuzzer's weighing of inputs (entropic), into a quarantine of 256 MB and into
# giving memory back to the kernel. A library's warning is a fault of ours too.
export ASAN_OPTIONS=quarantine_size_mb=8:allocator_release_to_os_interval_ms=-1
export UBSAN_OPTIONS=halt_on_error=1:print_stacktrace=1
export LSAN_OPTIONS=print_suppressions=0:suppressions=$PWD/tests/lsan.supp
export G_DEBUG=fatal-warnings
mkdir -p "$build/faults"
# The same addresses each time, where the kernel lets us.
fixed=
setarch -R true 2>/dev/null && fixed="setarch -R"

# Bounds of all: 1 GiB and 10 s an input (more where others may keep us waiting).
fuzz() {
	local target=$1 log=$build/$1.log start=$SECONDS status corpus list
	local -a how=(-rss_limit_mb=1024 -max_len=16384 -len_control=20 -entropic=0 -print_funcs=0
		-print_final_stats=1 -close_fd_mask=1 -artifact_prefix="$build/faults/$target-")

	[ ! -e "tests/fuzz/dict/$target.dict" ] || how+=(-dict="tests/fuzz/dict/$target.dict")
	if [ "$length" = always ]; then
		corpus=$(mktemp -d)
		list=$(find "$build/tests/fuzz/seeds/$target" "testdata/hostile/$target" -type f | LC_ALL=C sort | paste -sd,)
		$fixed "$build/tests/fuzz/fuzz_$target" "${how[@]}" -runs="${runs[$target]}" -seed=1 -timeout=60 \
			-seed_inputs="$list" "$corpus" >"$log" 2>&1
	else
		corpus=$build/corpus/$target
		mkdir -p "$corpus"
		"$build/tests/fuzz/fuzz_$target" "${how[@]}" -max_total_time="$length" -timeout=10 \
			"$corpus" "$build/tests/fuzz/seeds/$target" "testdata/hostile/$target" >"$log" 2>&1
	fi
	status=$?
	awk -v target="$target" -v seconds=$((SECONDS - start)) -v kept="$(ls "$corpus" | wc -l)" -v status=$status '
		/^stat::number_of_executed_units/ { executed = $2 }
		/^stat::peak_rss_mb/ { rss = $2 }
		/cov: [0-9]+/ { match($0, /cov: [0-9]+/); cov = substr($0, RSTART + 5, RLENGTH - 5) }
		END { printf "%-9s %9d executions in %4d s, %5d inputs kept, %5d edges, %4d MB%s\n", target,
			executed, seconds, kept, cov, rss, status ? ": FAULT, see " FILENAME : "" }' "$log"
	[ "$length" != always ] || rm -rf "$corpus"
	return $status
}

fault=0 running=0
for target in $targets; do
	if [ "$length" != always ]; then
		fuzz "$target" || fault=1
		continue
	fi
	if [ $running -eq 2 ]; then
		wait -n || fault=1
		running=1
	fi
	fuzz "$target" &
	running=$((running + 1))
done
while [ $running -gt 0 ]; do
	wait -n || fault=1
	running=$((running - 1))
done
exit $fault
