# The ways a recording ends: signals, duration, a full disk, a device that vanishes.
. "$(dirname "$0")/common.sh"

# Waits until tracing is on.
traced() {
	for _ in $(seq 100); do
		[ "$(cat "$enable")" = 1 ] && return
		sleep 0.02
	done
}

# run NAME [ARGUMENT...]: records in the background, with signals as a shell has them at the terminal (a
# background job of a script ignores SIGINT).
run() {
	local name=$1
	shift
	python3 -c 'import os, signal, sys
signal.signal(signal.SIGINT, signal.SIG_DFL)
os.execv(sys.argv[1], sys.argv[1:])' "$BTVIZ" record -d "$loop" -t "$name" "$@" 2>"$name.said" &
	recorder=$!
	traced
}

for signal in INT TERM HUP; do
	run "alone$signal"
	dd if=/dev/zero of="/dev/$loop" bs=64k count=10 oflag=direct 2>/dev/null
	kill -$signal "$recorder"
	wait "$recorder"
	same "no program, SIG$signal" $? 0
	same "all is there" "$(count bytes alone$signal.*.blktrace.*)" 655360
	same "put back" "$(state)" "$before"
done

# A background job of a script has SIGINT ignored: it ends all the same, where nothing else would end it.
"$BTVIZ" record -d "$loop" -t ignored 2>ignored.said &
recorder=$!
traced
kill -INT "$recorder"
for _ in $(seq 100); do
	kill -0 "$recorder" 2>/dev/null || break
	sleep 0.02
done
kill -KILL "$recorder" 2>/dev/null && fail "SIGINT where it was ignored ends a recording without a program"
wait "$recorder"
same "no program, SIGINT ignored before" $? 0
check "nothing happened, and that is said" grep -q "no I/O on $loop in 0\.[0-9] s" ignored.said
"$BTVIZ" report -t ignored >report 2>&1
same "its report: exit status" $? 0
check "its report says so too" grep -q "no I/O on $loop in 0\.[0-9] s" report

run passed -- sh -c 'trap "exit 9" TERM; while :; do sleep 0.1; done'
sleep 0.3
kill -TERM "$recorder"
wait "$recorder"
same "the program gets the signal and says how it ends" $? 9

run twice -- sh -c 'trap "" TERM; exec sleep 3'
sleep 0.3
program=$(pgrep -P "$recorder" -x sleep)
kill -TERM "$recorder"
sleep 0.3
check "a first signal waits for the program" kill -0 "$recorder"
kill -TERM "$recorder"
wait "$recorder"
same "a second one does not" "$(kill -0 "$program" && echo running)" running
same "put back" "$(state)" "$before"
kill -9 "$program"

start=$(date +%s%N)
"$BTVIZ" record -d "$loop" -t short --duration 300ms 2>said
same "duration without a program" $? 0
took=$((($(date +%s%N) - start) / 1000000))
check "it took $took ms" [ "$took" -ge 300 -a "$took" -le 2000 ]
"$BTVIZ" record -d "$loop" -t cut --duration 300ms -- sleep 10 2>said
same "duration ends the program" $? 143

# No room: 1 MiB for the recording of some 3.
mkdir small
mount -t tmpfs -o size=1m tmpfs small
"$BTVIZ" record -d "$loop" -t small/run -- sh -c "dd if=/dev/zero of=/dev/$loop bs=4k count=10000 oflag=direct \
	2>/dev/null; sleep 1.5; dd if=/dev/zero of=/dev/$loop bs=4k count=10 oflag=direct 2>/dev/null; touch done" 2>said
same "a full disk" $? 1
cat said
check "it is said" grep -q 'No space left' said
check "the program ran to its end" [ -e done ]
same "what is there is whole" "$(count whole small/run.*.blktrace.*)" 1
check "and not nothing" [ "$(count events small/run.*.blktrace.*)" -gt 1000 ]
same "put back" "$(state)" "$before"
umount small

# So little room that not even the first writing of each stream fits.
mount -t tmpfs -o size=200k tmpfs small
"$BTVIZ" record -d "$loop" -t small/run --no-samples -- dd if=/dev/zero of="/dev/$loop" bs=4k count=8000 oflag=direct \
	2>said
same "a disk that is full at once" $? 1
check "what fitted stays" [ "$(stat -c %s small/run.*.blktrace.* | awk '{ n += $1 } END { print n }')" -gt 60000 ]
same "and is whole" "$(count whole small/run.*.blktrace.*)" 1
umount small

# The device goes away while it is traced.
truncate -s 8M other
gone=$(losetup -f --show other)
"$BTVIZ" record -d "$gone" -t gone -- sh -c "dd if=/dev/zero of=$gone bs=64k count=10 oflag=direct 2>/dev/null
	losetup -d $gone" 2>said
same "a device that vanishes" $? 0
same "its events are there" "$(count bytes gone.*.blktrace.*)" 655360

# A small buffer loses events, and says how many.
"$BTVIZ" record -d "$loop" -t lossy --buffer-size 64 -- sh -c "dd if=/dev/zero of=/dev/$loop bs=4k count=8000 \
	oflag=direct 2>/dev/null" 2>said
same "a small buffer" $? 0
cat said
lost=$(python3 -c 'import json; print(json.load(open("lossy.btviz.json"))["lost_events"])')
shown=$(count lost lossy.*.blktrace.*)
echo "lost $lost, $shown of them shown in the streams; events $(count events lossy.*.blktrace.*)"
if [ "$lost" -gt 0 ]; then
	check "it is said" grep -q "$lost events were lost" said
	check "they show in the sequence" [ "$shown" -gt 0 -a "$shown" -le "$lost" ]
fi

# Names: an older recording's streams are replaced, a stranger's are told of.
printf x >"old.$loop.blktrace.9"
printf x >old.stranger.blktrace.0
"$BTVIZ" record -d "$loop" -t old --force -- true 2>said
check "the same device's stream is gone" [ ! -e "old.$loop.blktrace.9" ]
check "the stranger's is there, and named" grep -q 'old.stranger.blktrace.0 belongs to another recording' said
