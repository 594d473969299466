# What is refused, and what it says; the exit status is passed on.
. "$(dirname "$0")/common.sh"

# refuse WHAT EXIT WORDS ARGUMENT...: the message must hold the words; nothing may be left.
refuse() {
	local what=$1 code=$2 words=$3
	shift 3
	"$BTVIZ" record "$@" >said 2>&1
	same "$what: exit status" $? "$code"
	check "$what: says '$words'" grep -qF -- "$words" said
	check "$what: no files" [ -z "$(ls no* 2>/dev/null)" ]
}

refuse "no device" 2 "no device to record" -t no -- true
refuse "no name" 2 "no name for the recording" -d "$loop" -- true
refuse "unknown device" 1 "no device nosuch" -d nosuch -t no -- true
refuse "a character device" 2 "/dev/null is not a block device" -d /dev/null -t no -- true
refuse "-p and a program" 2 "both -p and a program" -d "$loop" -t no -p true -- true
refuse "no directory" 1 "cannot create nothere/no" -d "$loop" -t nothere/no -- true
refuse "an option of its own, behind the program" 1 "no device nosuch" -d nosuch -t no true --help

echo 1 >"$enable"
refuse "a traced device" 1 "$loop is being traced already" -d "$loop" -t no -- true
refuse "a traced device, by blktrace" 1 "$loop is being traced already" -d "$loop" -t no \
	--backend blktrace --blktrace /bin/true -- true
same "the other's tracing is still on" "$(cat "$enable")" 1
echo 0 >"$enable"

if echo function >$tracing/current_tracer 2>/dev/null; then
	refuse "another tracer" 1 'the tracer "function" is in use' -d "$loop" -t no -- true
	same "the other tracer is still there" "$(cat $tracing/current_tracer)" function
	echo nop >$tracing/current_tracer
fi
echo blk >$tracing/current_tracer
refuse "the same tracer" 1 'the tracer "blk" is in use' -d "$loop" -t no -- true
refuse "the same tracer, by blktrace" 1 'the tracer "blk" is in use' -d "$loop" -t no --backend blktrace \
	--blktrace /bin/true -- true
echo nop >$tracing/current_tracer

cat $tracing/trace_pipe >/dev/null &
reader=$!
sleep 0.2
refuse "an open pipe" 1 "process $reader (cat) has a trace pipe open" -d "$loop" -t no -- true
kill $reader
wait $reader 2>/dev/null

event=$(ls -d $tracing/events/block/block_rq_issue 2>/dev/null)
if [ -n "$event" ]; then
	echo block:block_rq_issue >$tracing/set_event
	refuse "event tracing" 1 "event tracing is in use (block:block_rq_issue" -d "$loop" -t no -- true
	same "the events are still on" "$(cat $tracing/set_event)" block:block_rq_issue
	echo >$tracing/set_event
fi

if command -v setpriv >/dev/null; then
	chmod 777 .
	# Reading everywhere is kept: the program may lie in a home that is closed to others.
	setpriv --reuid=65534 --clear-groups --inh-caps=+dac_read_search --ambient-caps=+dac_read_search \
		"$BTVIZ" record -d "$loop" -t no -- true >said 2>&1
	same "no root: exit status" $? 1
	check "no root: says how" grep -q 'needs root.*sudo' said
fi

"$BTVIZ" record -d "$loop" -t first -- sleep 2 2>said.first &
first=$!
for _ in $(seq 100); do
	[ "$(cat "$enable")" = 1 ] && break
	sleep 0.02
done
refuse "a second recording" 1 "another btviz record is running (process $first)" -d "$loop" -t no -- true
"$BTVIZ" record --cleanup >said 2>&1
same "no cleanup beside a recording" $? 1
wait $first
same "the first recording is not disturbed" $? 0

status() { # WANT COMMAND...
	local want=$1
	shift
	"$BTVIZ" record -d "$loop" -t status --force -- "$@" >said 2>&1
	same "exit status of $*" $? "$want"
}
status 0 true
status 1 false
status 7 sh -c 'exit 7'
status 137 sh -c 'kill -9 $$'
# A program that cannot be run replaces nothing.
sum=$(cat status.* | cksum)
status 127 nosuchprogram
check "it is said" grep -q 'cannot run nosuchprogram: no such program; nothing was recorded' said
status 126 /etc/passwd
same "the recording that was there stays" "$(cat status.* | cksum)" "$sum"
"$BTVIZ" record -d "$loop" -t no -- nosuchprogram 2>said
same "no program, no files" "$? $(ls no* 2>/dev/null)" "127 "
# Nor does one without --force.
for there in status.btviz.json "status.$loop.blktrace.0" status.samples.csv; do
	"$BTVIZ" record -d "$loop" -t status -- touch ran >said 2>&1
	same "a recording is there: exit status" $? 1
	check "a recording is there: says which" grep -q 'there is a recording already: status\..*--force' said
	rm "$there"
done
check "a recording is there: the program does not run" [ ! -e ran ]
check "its other streams stay" [ -e "status.$loop.blktrace.1" ]
"$BTVIZ" record -d "$loop" -t status --force -p 'exit 3' 2>said
same "exit status of -p" $? 3
check "in the metadata" grep -q '"exit_status": 3' status.btviz.json
