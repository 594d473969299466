#!/bin/bash
# Builds the Debian packages: build-debs.sh [-c COMMIT] FOLDER
#
# Exports the commit (HEAD without -c) into a temporary folder, lays tools/packaging/debian over it, builds
# there, and leaves the packages, the source and the build's record in FOLDER. The work tree is neither read
# nor touched. Needs what debian/control asks for (README's first command and debhelper), runs as any user.
# Two builds of one commit are equal bit by bit, wherever, whenever and under whatever umask they are made.
set -eu
umask 022
commit=HEAD
if [ "${1-}" = -c ]; then
	commit=$2
	shift 2
fi
target=${1:?usage: build-debs.sh [-c COMMIT] FOLDER}
cd "$(dirname "$0")/../.."
top=$PWD
mkdir -p "$target"
target=$(cd "$target" && pwd)
version=$(git show "$commit:tools/packaging/debian/changelog" | sed -n '1s/.*(\(.*\)-[^-]*).*/\1/p')
[ -n "$version" ] || { echo "build-debs.sh: no version in tools/packaging/debian/changelog" >&2; exit 1; }
declared=$(git show "$commit:meson.build" | sed -n "s/^  version: '\(.*\)',/\1/p")
if [ "$version" != "$declared" ]; then
	echo "build-debs.sh: debian/changelog says $version, meson.build $declared" >&2
	exit 1
fi

scratch=$(mktemp -d) # where no space in a name keeps dpkg from mapping it out of the debugging symbols
trap 'rm -rf "$scratch"' EXIT
source=$scratch/btviz-$version
git archive --prefix="btviz-$version/" "$commit" | xz -T1 >"$scratch/btviz_$version.orig.tar.xz"
tar -C "$scratch" -xf "$scratch/btviz_$version.orig.tar.xz"
cp -r "$source/tools/packaging/debian" "$source/debian"
SOURCE_DATE_EPOCH=$(git -C "$top" show -s --format=%ct "$commit")
export SOURCE_DATE_EPOCH
cd "$source"
dpkg-buildpackage --no-sign --build=full
rm -rf "$source"
cp "$scratch"/* "$target"
cd "$target"
ls -1 -- *.deb
