# The blktrace back end, with a program that does as blktrace does: a kernel that is locked down refuses the
# real one.
. "$(dirname "$0")/common.sh"

truncate -s 8M other
second=$(losetup -f --show other)
second=${second#/dev/}
before=$(state)
fake=$here/fake-blktrace

"$BTVIZ" record -d "$loop" -d "$second" -t run --backend blktrace --blktrace "$fake" -- sh -c 'exit 4' 2>said
same "exit status" $? 4
cat said
check "both devices' files" [ -s "run.$loop.blktrace.0" -a -s "run.$second.blktrace.0" -a -e "run.$loop.blktrace.1" ]
check "its directory is gone" [ -z "$(ls -d run.blktrace-* 2>/dev/null)" ]
same "drops are read" "$(python3 -c 'import json; m = json.load(open("run.btviz.json"))
print(m["backend"], m["events"], m["lost_events"], m["record_version"])')" "blktrace 2 10 7"
same "put back" "$(state)" "$before"
release=$(uname -r | awk -F. '{ print $1 * 1000 + $2 }')
flags=$(python3 -c 'import json; print(json.load(open("run.btviz.json"))["flags"])')
if [ "$release" -ge 6019 ]; then
	same "FUA is known to be missing" "$flags" "['fua-missing']"
	check "and it is said" grep -q 'FUA writes' said
else
	same "no flags on this kernel" "$flags" "[]"
fi

FAKE=refused "$BTVIZ" record -d "$loop" -t no --backend blktrace --blktrace "$fake" -- touch ran 2>said
same "refused: exit status" $? 1
check "refused: the program does not run" [ ! -e ran ]
check "refused: what blktrace said" grep -q 'Operation not permitted' said
check "refused: what to do" grep -q 'use --backend tracefs' said
check "refused: nothing is left" [ -z "$(ls -d no* 2>/dev/null)" ]

FAKE=dead "$BTVIZ" record -d "$loop" -t dead --backend blktrace --blktrace "$fake" -- sleep 1 2>said
same "it ends too early: exit status" $? 1
check "it is said" grep -q 'blktrace ended before the program did' said

# It is told to end when the recorder is killed.
"$BTVIZ" record -d "$loop" -t killed --backend blktrace --blktrace "$fake" -- sleep 3 2>said &
recorder=$!
for _ in $(seq 200); do
	pgrep -P "$recorder" -x sleep >/dev/null && break
	sleep 0.02
done
same "tracing is on" "$(cat "$enable")" 1
kill -9 "$recorder"
wait "$recorder" 2>/dev/null
for _ in $(seq 100); do
	[ "$(cat "$enable")" = 0 ] && break
	sleep 0.05
done
same "put back after kill -9" "$(state)" "$before"

"$BTVIZ" record -d "$loop" -t no --backend blktrace --blktrace /nowhere/blktrace -- true 2>said
same "no such blktrace" "$? $(cat said)" "1 btviz: cannot run /nowhere/blktrace: No such file or directory"
losetup -d "/dev/$second"
before=$(state)
