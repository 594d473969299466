# A recording has every event: what the program wrote, to the byte; nothing is lost; blkparse agrees.
. "$(dirname "$0")/common.sh"

if command -v fio >/dev/null; then
	"$BTVIZ" record -d "/dev/$loop" -t run -- fio --name=x --filename="/dev/$loop" --rw=randwrite --bs=4k \
		--direct=1 --ioengine=libaio --iodepth=8 --size=64m --number_ios=20000 --output=fio.json \
		--output-format=json 2>said
	same "exit status" $? 0
	wrote=$(python3 -c 'import json; print(json.load(open("fio.json"))["jobs"][0]["write"]["io_bytes"])')
else
	"$BTVIZ" record -d "/dev/$loop" -t run -- dd if=/dev/zero of="/dev/$loop" bs=16k count=4000 oflag=direct \
		2>said
	same "exit status" $? 0
	wrote=$((4000 * 16384))
fi
cat said
bytes=$(count bytes run.*.blktrace.*)
echo "wrote $wrote, in the recording $bytes"
check "completed bytes within 1 %" [ $(((bytes - wrote) * 100)) -le "$wrote" -a $(((wrote - bytes) * 100)) -le "$wrote" ]
same "no number is missing" "$(count lost run.*.blktrace.*)" 0
same "no stream goes back in time" "$(count back run.*.blktrace.*)" 0
same "the metadata says so too" "$(python3 -c 'import json; print(json.load(open("run.btviz.json"))["lost_events"])')" 0
same "events as the metadata counts them" "$(count events run.*.blktrace.*)" \
	"$(python3 -c 'import json; print(json.load(open("run.btviz.json"))["events"])')"
same "every Q has its C" "$(count Q run.*.blktrace.*)" "$(count C run.*.blktrace.*)"
check "the program's name is known" grep -Eqw 'fio|dd' <<<"$(count names run.*.blktrace.*)"
check "one stream a CPU" [ "$(ls run.*.blktrace.* | wc -l)" -ge "$(nproc)" ]
check "samples were taken" [ "$(wc -l <run.samples.csv)" -ge 2 ]
if command -v blkparse >/dev/null && grep -q '"record_version": 7' run.btviz.json; then
	blkparse -f "" -i "run.$loop" >parsed 2>/dev/null
	same "blkparse counts the same events" \
		"$(awk '/^Events/ { print $3 }' parsed)" "$(count events run.*.blktrace.*)"
	# The last of these lines is that of all CPUs, or of the only one that has events.
	same "blkparse counts the same completions" \
		"$(sed -n 's/.*Writes Completed: *\([0-9]*\),.*/\1/p' parsed | tail -n 1)" \
		"$(count C run.*.blktrace.*)"
else
	echo "blkparse: not compared (not installed, or version 8)"
fi
