#!/bin/bash
# On a Debian that has nothing: tests/fresh/run.sh [-k FOLDER] root|user|readonly|packages...
#
#   root       README's two commands as root, in root's closed home, below a folder with a space in its name
#   user       the same as an ordinary user who has sudo for the packages
#   readonly   the build beside a source folder that cannot be written to
#   packages   builds the Debian packages, installs them, runs their autopkgtests, removes them: what is left?
#
# Makes a minimal root (debootstrap --variant=minbase) in a scratch folder, with this machine's apt sources,
# in a mount namespace of its own; nothing of this machine is changed. -k keeps the bare root in FOLDER, for
# the next time. Prints a line a step with its time. Needs root and debootstrap; 77: not to be tried here.
set -eu
[ "$(id -u)" = 0 ] || { echo "skipped: needs root"; exit 77; }
command -v debootstrap >/dev/null || { echo "skipped: debootstrap is not installed"; exit 77; }
if [ -z "${BTVIZ_FRESH_INSIDE-}" ]; then
	BTVIZ_FRESH_INSIDE=1 exec unshare --mount --propagation private "$0" "$@"
fi
keep=
if [ "${1-}" = -k ]; then
	keep=$2
	shift 2
fi
[ $# -gt 0 ] || { sed -n '2,7s/^# \?//p' "$0"; exit 2; }
top=$(cd "$(dirname "$0")/../.." && pwd)
scratch=$(mktemp -d)
root=$scratch/root
export LC_ALL=C.UTF-8 DEBIAN_FRONTEND=noninteractive
trap 'down; rm -rf --one-file-system "$scratch"' EXIT

down() {
	umount -R "$root" 2>/dev/null || umount -R -l "$root" 2>/dev/null || true
}

# step NAME COMMAND...: says how it went; what it printed only where it failed.
step() {
	local name=$1 start=$SECONDS code=0
	shift
	"$@" >"$scratch/log" 2>&1 </dev/null || code=$?
	echo "fresh: $name: exit $code, $((SECONDS - start)) s; last line: $(grep -v '^$' "$scratch/log" | tail -1)"
	[ "$code" -eq 0 ] && return
	grep -E "FAIL|ERROR|TIMEOUT" "$scratch/log" || true
	tail -60 "$scratch/log"
	find "$root" -xdev -name testlog.txt -exec awk "/^result: / { on = / [1-6]$|timeout|signal/ } on" {} + || true
	exit 1
}

bare() {
	local mirror
	mirror=$(cat /etc/apt/sources.list /etc/apt/sources.list.d/* 2>/dev/null |
		awk '/^URIs:/ { print $2; exit } /^deb / { for (i = 2; i <= NF; i++) if ($i ~ /:\/\//) { print $i; exit } }')
	debootstrap --variant=minbase bookworm "$1" "$mirror"
}

# A root as new, over the bare one: what is written goes away with the scratch folder.
fresh() {
	down
	rm -rf "$scratch/upper" "$scratch/work"
	mkdir -p "$root" "$scratch/upper" "$scratch/work"
	mount -t overlay overlay -o "lowerdir=$base,upperdir=$scratch/upper,workdir=$scratch/work" "$root"
	rm -rf "$root/etc/apt/sources.list" "$root/etc/apt/sources.list.d" "$root/etc/apt/apt.conf.d"
	cp -rL /etc/apt/. "$root/etc/apt/"
	cp -L /etc/resolv.conf /etc/hosts "$root/etc/"
	mount -t proc proc "$root/proc"
	mount --rbind /dev "$root/dev"
	mount --make-rslave "$root/dev"
	mount -t sysfs sysfs "$root/sys" # the tests of recording write there, and put it back
	mount -t tmpfs tmpfs "$root/tmp"
	chmod 1777 "$root/tmp"
}

clone() {
	mkdir -p "$(dirname "$root$1")"
	git clone -q "$top" "$root$1"
}

# inside USER FOLDER COMMANDS: by the shell of a user in the fresh root, without this one's variables.
inside() {
	chroot "$root" /usr/bin/env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME="$(dirname "$2")" TERM=dumb \
		DEBIAN_FRONTEND=noninteractive setpriv --reuid="$1" --regid="$1" --clear-groups \
		/bin/sh -c "cd \"\$1\" && $3" sh "$2"
}

readme() {
	awk -v want="$1" '/^```sh$/ { n++; on = n == want; next } /^```/ { on = 0 } on' "$top/README.md"
}

try_root() {
	local at="/root/my traces/btviz"
	fresh
	chmod 700 "$root/root"
	clone "$at"
	step "root: README's first command" inside 0 "$at" "$(readme 1)"
	step "root: it drew a picture" test -s "$root$at/md0.png"
	step "root: README's second command" inside 0 "$at" "$(readme 2)"
	step "root: no unknown TAP output" test "$(grep -c 'Unknown TAP' "$scratch/log")" = 0
}

try_user() {
	local at=/srv/me/btviz packages build
	fresh
	chroot "$root" useradd -m -d /srv/me -u 1000 me
	chmod 700 "$root/srv/me"
	clone "$at"
	chown -R 1000:1000 "$root$at"
	packages=$(readme 1 | sed '/&&$/q; s/&&$//' | sed '$s/&&$//')
	build=$(readme 1 | sed '1,/&&$/d')
	step "user: packages, as root" inside 0 /root "$packages"
	step "user: the rest of README's first command" inside 1000 "$at" "$build"
	step "user: README's second command" inside 1000 "$at" "$(readme 2)"
}

try_readonly() {
	fresh
	clone /src/btviz
	step "readonly: packages" inside 0 /root "$(readme 1 | sed '/&&$/q' | sed '$s/&&$//')"
	mount --bind "$root/src" "$root/src"
	mount -o remount,bind,ro "$root/src"
	step "readonly: build elsewhere" inside 0 /tmp "meson setup build /src/btviz && ninja -C build"
	step "readonly: the tests" inside 0 /tmp "meson test -C build"
}

try_packages() {
	local debs=$scratch/debs name
	fresh
	step "packages: what they are built with" inside 0 /root "$(readme 1 | sed '/&&$/q' | sed '$s/&&$//') &&
		apt-get install -y -q --no-install-recommends debhelper git xz-utils ca-certificates lintian"
	clone /src/btviz
	step "packages: built in a clean tree" inside 0 /src/btviz "git config --global safe.directory '*' &&
		DEB_BUILD_OPTIONS=nocheck tools/packaging/build-debs.sh /src/debs"
	step "packages: lintian has nothing to say" inside 0 /src/debs "lintian --pedantic --fail-on warning,error \
		--allow-root *.changes"
	mkdir -p "$debs"
	cp "$root"/src/debs/*.deb "$debs"

	fresh
	step "packages: apt" inside 0 /root "apt-get update"
	cp -r "$debs" "$root/root/debs"
	list "$scratch/before"
	rm -f "$root"/root/debs/*dbgsym*
	step "packages: installed" inside 0 /root "apt-get install -y -q --no-install-recommends ./debs/*.deb"
	clone /src/btviz
	step "packages: what the tests need" inside 0 /root "apt-get install -y -q --no-install-recommends \
		python3 gcc libc6-dev pkg-config"
	for name in draw link record; do
		autopkgtest "$name"
	done
	step "packages: removed" inside 0 /root "apt-get purge -y -q btviz libbtviz0 libbtviz-dev"
	list "$scratch/after"
	step "packages: nothing of them is left" test -z "$(grep -i btviz "$scratch/after")"
}

# All files of the root but those that apt and the clone bring.
list() {
	(cd "$root" && find . -xdev \( -path ./src -o -path ./root/debs -o -path ./var/cache -o -path ./var/log \) -prune -o \
		-print) | sort >"$1"
}

# The command of an autopkgtest, as debian/tests/control would have it run.
autopkgtest() {
	local code=0
	mkdir -p "$root/tmp/autopkgtest-$1"
	inside 0 /src/btviz "AUTOPKGTEST_TMP=/tmp/autopkgtest-$1 tools/packaging/debian/tests/$1" \
		>"$scratch/log" 2>&1 </dev/null || code=$?
	echo "fresh: packages: autopkgtest $1: exit $code; last line: $(tail -1 "$scratch/log")"
	[ "$code" -eq 0 ] || [ "$code" -eq 77 ] || { cat "$scratch/log"; exit 1; }
}

base=${keep:-$scratch/base}
[ -e "$base/etc/debian_version" ] || step "a bare root" bare "$base"
for what; do
	case $what in
	root | user | readonly | packages) "try_$what" ;;
	*) echo "run.sh: what is '$what'?" >&2; exit 2 ;;
	esac
done
