#!/bin/bash
# Compares the library's binary interface with that of the last tag: abi.sh [TAG]. Fields appended to the
# structs that the library hands out are allowed (abi.suppress), anything else that changes is a fault.
# Says so and ends with 77 where there is no tag yet, or no abidiff (package abigail-tools).
set -eu
cd "$(dirname "$0")/../.."
tag=${1-$(git describe --tags --abbrev=0 2>/dev/null || true)}
if [ -z "$tag" ]; then
	echo "skipped: no tag yet to compare with"
	exit 77
fi
if ! command -v abidiff >/dev/null; then
	echo "skipped: no abidiff here (package abigail-tools)"
	exit 77
fi
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
git archive --prefix=old/ "$tag" | tar -x -C "$scratch"
for side in old new; do
	source=$scratch/old
	[ $side = old ] || source=.
	meson setup "$scratch/build-$side" "$source" -Dtests=false -Dbuildtype=debugoptimized >/dev/null
	ninja -C "$scratch/build-$side" lib/libbtviz.so.0.1.0 >/dev/null 2>&1 ||
		ninja -C "$scratch/build-$side" >/dev/null
done
library() { find "$scratch/build-$1/lib" -name 'libbtviz.so.*.*.*' -type f; }
abidiff --drop-private-types --suppressions tests/check/abi.suppress --headers-dir1 "$scratch/old/include" --headers-dir2 include \
	--no-added-syms "$(library old)" "$(library new)"
echo "the interface of $tag is kept"
