# common.sh - for the tests of btviz record on a real kernel: they need root, tracefs and a loop device, and
# say `skipped: why` (exit 77) where one is missing. Each works in a directory of its own on a tmpfs, with a
# loop device over a file there; at the end everything is taken down and the tracer's state compared.
#
#     BTVIZ=build/tools/btviz bash tests/record/NAME.sh
set -u
here=$(cd "$(dirname "$0")" && pwd)
tracing=/sys/kernel/tracing
loop=
failures=0

skip() { echo "skipped: $*"; exit 77; }
fail() { echo "FAILED: $*"; failures=$((failures + 1)); }

# check WHAT COMMAND...: the command must succeed.
check() {
	local what=$1
	shift
	if "$@"; then echo "ok: $what"; else fail "$what ($*)"; fi
}

# same WHAT HAVE WANT
same() { if [ "$2" = "$3" ]; then echo "ok: $1"; else fail "$1: have '$2', want '$3'"; fi; }

# What a recording may change. A buffer that was never used cannot be put back to that, only to the size that
# the kernel gives it with the first tracer.
state() {
	local file
	for file in current_tracer trace_clock tracing_on options/overwrite set_event; do
		echo "$file $(tr '\n' ' ' <$tracing/$file)"
	done
	echo "buffer $(sed 's/.*expanded: 1408.*/1410/' $tracing/buffer_size_kb)"
	for file in /sys/class/block/*/trace; do
		[ -e "$file/enable" ] && echo "$file $(cat "$file"/* | tr '\n' ' ')"
	done
	ls /run/btviz-record.state 2>/dev/null
	return 0
}

finish() {
	local code=$?
	trap - EXIT
	kill $(jobs -p) 2>/dev/null
	wait 2>/dev/null
	[ -n "$loop" ] && losetup -d "/dev/$loop"
	cd /
	# What was killed may need a moment to leave.
	for _ in $(seq 100); do
		umount -R "$scratch" 2>/dev/null && break
		sleep 0.05
	done
	rmdir "$scratch" || { fail "the scratch directory stays mounted"; code=1; }
	if [ -n "${before-}" ]; then
		after=$(state)
		same "the tracer's state is as before" "$after" "$before"
	fi
	[ "$code" -eq 0 ] && [ "$failures" -gt 0 ] && code=1
	exit "$code"
}

[ "$(id -u)" = 0 ] || skip "needs root"
[ -w $tracing/current_tracer ] || skip "tracefs is not mounted at $tracing, or not to be written to"
grep -qw blk $tracing/available_tracers || skip "this kernel has no blk tracer"
# The tracer exists once; another build's tests may be running.
exec 9>/tmp/btviz-record-test.lock
flock -w 60 9 || skip "another test or benchmark of recording is running"
[ "$(cat $tracing/current_tracer)" = nop ] || skip "another tracer is in use"
[ -z "$(cat $tracing/set_event)" ] || skip "event tracing is in use"
[ -e /run/btviz-record.state ] && skip "a recording is running, or was killed"
scratch=$(mktemp -d /tmp/btviz-record-XXXXXX)
mount -t tmpfs -o size=400m tmpfs "$scratch" 2>/dev/null || { rmdir "$scratch"; skip "cannot mount a tmpfs"; }
trap finish EXIT
cd "$scratch" || exit 1
truncate -s 64M disk
loop=$(losetup -f --show disk 2>/dev/null) || { loop=; skip "no loop device"; }
loop=${loop#/dev/}
[ -e "/sys/class/block/$loop/trace/enable" ] || skip "$loop cannot be traced"
before=$(state)

count() { python3 "$here/count.py" "$@"; }
enable=/sys/class/block/$loop/trace/enable
