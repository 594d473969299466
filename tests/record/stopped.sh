# A writer that is stopped for a second is a gap in submission.
. "$(dirname "$0")/common.sh"

# Sectors one by one, so that the device does not end before the writer is stopped.
truncate -s 350M disk
losetup -c "/dev/$loop"
cat >work <<END
dd if=/dev/zero of=/dev/$loop bs=512 oflag=direct 2>/dev/null &
writer=\$!
sleep 1
kill -STOP \$writer
sleep 1
kill -CONT \$writer
sleep 0.7
kill \$writer
wait \$writer 2>/dev/null
true
END
"$BTVIZ" record -d "$loop" -t run -- sh work 2>said
same "exit status" $? 0
cat said
gap=$(count gap_ms run.*.blktrace.*)
echo "longest time without a Q: $gap ms"
check "no Q for 0.9 to 1.5 s" [ "$gap" -ge 900 -a "$gap" -le 1500 ]
same "no number is missing" "$(count lost run.*.blktrace.*)" 0
if "$BTVIZ" report --help 2>/dev/null | grep -q -- --format; then
	"$BTVIZ" report -t run --format json >report.json
	check "btviz report finds it" python3 -c '
import json
gaps = [g for r in json.load(open("report.json"))["runs"] for d in r["devices"] for g in d["gaps"]]
found = [g for g in gaps if g["kind"] == "submit" and 0.9 <= g["end_s"] - g["start_s"] <= 1.5]
print(*gaps, sep="\n")
assert found'
else
	echo "btviz report: not built, its gaps not looked at"
fi
