#!/bin/bash
# Compares the library's binary interface with that of the last tag: abi.sh [TAG]. What may change is said in
# HACKING.md ("The binary interface") and, to abidiff, in abi.suppress; anything else is a fault.
# Says so and ends with 77 where there is no tag yet, or no abidiff (package abigail-tools).
#
#     abi.sh --self-test      whether it would notice: builds the library once and then with a change each
set -eu
cd "$(dirname "$0")/../.."
here=tests/check
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# build SIDE SOURCE: the library alone, with debugging information.
build() {
	[ -d "$scratch/build-$1" ] ||
		meson setup "$scratch/build-$1" "$2" -Dtests=false -Dbuildtype=debug >/dev/null
	meson compile -C "$scratch/build-$1" btviz:shared_library >"$scratch/log" 2>&1 || { cat "$scratch/log"; return 2; }
	abidw --drop-private-types --headers-dir "$2/include" "$(library "$1")" >"$scratch/$1.abi"
}

library() { find "$scratch/build-$1/lib" -maxdepth 1 -name 'libbtviz.so.*.*.*' -type f; }

# compare OLD NEW: 0 if a program built against OLD's headers runs with NEW's library.
compare() {
	local code=0
	abidiff --drop-private-types --suppressions $here/abi.suppress --headers-dir1 "$1/include" \
		--headers-dir2 "$2/include" --no-added-syms "$(library old)" "$(library new)" || code=1
	python3 $here/abi_fields.py "$scratch/old.abi" "$scratch/new.abi" \
		"$1/include/btviz" || code=1
	return $code
}

# try WANTED WHAT FILE SED-SCRIPT: one change to a copy of the sources.
try() {
	local wanted=$1 what=$2 file=$3 code=0
	shift 3
	rm -rf "$scratch/new/include" "$scratch/new/lib"
	cp -r --preserve=timestamps "$scratch/old/include" "$scratch/old/lib" "$scratch/new"
	sed -i -E "$@" "$scratch/new/$file"
	if cmp -s "$scratch/old/$file" "$scratch/new/$file"; then
		echo "$what: nothing was changed"
		failed=1
		return
	fi
	build new "$scratch/new"
	compare "$scratch/old" "$scratch/new" >"$scratch/said" 2>&1 || code=$?
	echo "$what: $([ $code = 0 ] && echo allowed || echo refused)"
	if [ $code != "$wanted" ]; then
		cat "$scratch/said"
		failed=1
	fi
}

self_test() {
	local h=include/btviz
	failed=0
	mkdir "$scratch/old"
	git archive HEAD | tar -x -C "$scratch/old"
	cp -r "$scratch/old" "$scratch/new"
	build old "$scratch/old"
	try 0 "a field at the end of a struct handed out" $h/summary.h 's/^(\tsize_t top_count;)/\1\n\tdouble later;/'
	try 0 "a field at the end of health" $h/trace.h 's/^(\tuint32_t versions;)/\1 uint64_t later;/'
	try 0 "a further option" $h/show.h 's/^(\tbool no_reads, no_writes;)/\1\n\tdouble later;/'
	try 0 "a further value of an enumeration" $h/event.h 's/^\tBTVIZ_OP_COUNT,/\tBTVIZ_OP_LATER,\n&/'
	try 1 "a function less" lib/btviz.map '/btviz_op_name;/d'
	try 1 "a field of another type" $h/summary.h 's/^\tuint64_t seeks; /\tuint32_t seeks; /'
	try 1 "a field in the middle" $h/summary.h 's/^\tdouble gap_threshold_s;/\tdouble before;\n&/'
	try 1 "two fields swapped" $h/summary.h 's/^\tuint64_t gets, inserts,/\tuint64_t inserts, gets,/'
	try 1 "another value of an enumerator" $h/summary.h 's/^\tBTVIZ_Q2Q,/\tBTVIZ_Q2Q = 1,/'
	try 1 "another status" $h/status.h 's/BTVIZ_ERR_IO = -20/BTVIZ_ERR_IO = -21/'
	try 1 "a field at the end of an event" $h/event.h 's/^(\t\} u;)/\1\n\tuint64_t later;/'
	try 1 "a field at the end of an error" $h/status.h 's/^(\tchar message\[512\];)/\1 int later;/'
	try 1 "a field at the end of a range" $h/samples.h 's/^\tdouble increase;/\tdouble increase, later;/'
	return $failed
}

if ! command -v abidiff >/dev/null; then
	echo "skipped: no abidiff here (package abigail-tools)"
	exit 77
fi
if [ "${1-}" = --self-test ]; then
	self_test
	exit
fi
tag=${1-$(git describe --tags --abbrev=0 2>/dev/null || true)}
if [ -z "$tag" ]; then
	echo "skipped: no tag yet to compare with"
	exit 77
fi
mkdir "$scratch/old"
git archive "$tag" | tar -x -C "$scratch/old"
build old "$scratch/old"
build new "$PWD"
compare "$scratch/old" "$PWD"
echo "the interface of $tag is kept"
