# Whoever is killed, the tracer is put back, and what was written can be read.
. "$(dirname "$0")/common.sh"

writer='while dd if=/dev/zero of=/dev/'$loop' bs=64k count=200 oflag=direct 2>/dev/null; do sleep 0.01; done'

# start NAME: a recording in the background, traced and past its first writing of files.
start() {
	"$BTVIZ" record -d "$loop" -t "$1" -- sh -c "exec timeout 20 sh -c '$writer'" 2>"$1.said" &
	recorder=$!
	for _ in $(seq 100); do
		[ "$(cat "$enable")" = 1 ] && [ -s "$1.$loop.blktrace.0" ] && break
		sleep 0.05
	done
	same "tracing is on" "$(cat "$enable") $(cat $tracing/current_tracer)" "1 blk"
	guardian=$(pgrep -P "$recorder" -x btviz-guardian)
	program=$(pgrep -P "$recorder" -x timeout)
}

waits() {
	for _ in $(seq 100); do
		[ "$(state)" = "$before" ] && break
		sleep 0.05
	done
}

start one
kill -9 "$recorder"
waits
same "put back after kill -9 of the recorder" "$(state)" "$before"
kill "$program"
wait "$recorder" 2>/dev/null
check "events are there" [ "$(count events one.*.blktrace.*)" -gt 0 ]
check "the run has its names" grep -q "\"name\": \"$loop\"" one.btviz.json
check "it is marked as not finished" grep -q '"finished": false' one.btviz.json

start two
kill -9 "$guardian"
kill "$recorder"
wait "$recorder"
waits
same "put back without a guardian" "$(state)" "$before"
check "finished" grep -q '"finished": true' two.btviz.json

start three
kill -9 "$guardian" "$recorder"
kill "$program"
wait "$recorder" 2>/dev/null
same "nobody was left to put it back" "$(cat "$enable") $(cat $tracing/current_tracer)" "1 blk"
"$BTVIZ" record -d "$loop" -t four -- true 2>said
same "the next recording refuses" $? 1
check "and says what to do" grep -q 'btviz record --cleanup' said
check "and writes nothing" [ -z "$(ls four* 2>/dev/null)" ]
"$BTVIZ" record --cleanup 2>said
same "cleanup" $? 0
same "put back by cleanup" "$(state)" "$before"
"$BTVIZ" record --cleanup 2>said
same "a second cleanup finds nothing" "$? $(cat said)" "0 btviz: nothing was left behind by a recording"
"$BTVIZ" record -d "$loop" -t four -- true 2>said
same "then recording works" $? 0
