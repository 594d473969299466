# One meaning an option, in all commands; what was called otherwise is answered with what it is called.
cat >two <<'END'
name 7 dd
name 8 fio
name 9 fio
Q W 100+8 @0.5 p7 d9,0
C W 100+8
Q W 100+8 p8 d8,16
D W 100+8
C W 100+8
Q W 108+8 p9
D W 108+8
C W 108+8
END
mktrace a.blktrace.0 <two
sed 's/108+8/116+8/' two | mktrace b.blktrace.0

echo 'the suffix decides, --format overrides, a .json file never holds text:'
for name in r.json r.jsonl r.csv r.txt r.out; do
	btviz report -t a -o "$name"
	printf '%s: ' "$name"
	head -c 9 "$name" | tr "\n" " "; echo
done
btviz report -t a --format json -o r.out
head -c 9 r.out
try btviz report -t a --format text -o r.json
try btviz report -t a -o r.md
for name in e.json e.jsonl e.csv e.txt; do
	btviz events -t a -o "$name"
	printf '%s: ' "$name"
	sed -n 2p "$name" | cut -c 1-24
done
try btviz events -t a --format csv -o e.json
for name in c.json c.jsonl c.csv c.md c.txt; do
	btviz compare -t a -t b -o "$name" || echo "exit $?"
	printf '%s: ' "$name"
	head -c 9 "$name" | tr "\n" " "; echo
done
try btviz compare -t a -t b --format text -o c.csv
for format in json jsonl; do
	btviz report -t a --format $format | head -c 9 | tr "\n" " "; echo
	btviz events -t a --format $format | head -c 9 | tr "\n" " "; echo
	btviz compare -t a -t b --format $format | head -c 9 | tr "\n" " "; echo
done

echo 'a trace in compare is a run of a group of its own, unless labels are the same:'
try btviz compare -t a -t b
try btviz compare -t a -t b -t a -l x -l y -l y
try btviz compare -t a new: b
try btviz compare -t a --table two

echo 'a device is chosen by -d, a process by name:'
btviz report -t a -d 8,16 --format csv | tr -d '"' | grep -c '^a,9' || true
btviz report -t a -M fio | grep -A 4 Processes
btviz report -t a -M '*' --all-processes --format csv | grep -c process.bytes
try btviz report -t a --only sdb
try btviz report -t a --process
try btviz report -t a -M
try btviz events -t a --time 0:1
try btviz record -o a
