# Names and messages that mean harm to a terminal, to JSON and to a spreadsheet arrive as text.
mktrace '=x"y.blktrace.0' <<'END'
name 100 =2+3
name 101 +a,"b"
name 102 -1
name 103 @sum
wall 1700000000
Q W 100+8 @1.0 p100
D W 100+8 @1.1
C W 100+8 @1.2
Q W 200+8 @1.3 p101
D W 200+8 @1.4
C W 200+8 @1.5
Q W 300+8 @1.6 p102
D W 300+8 @1.7
C W 300+8 @1.8
Q W 400+8 @1.9 p103
D W 400+8 @2.0
C W 400+8 @2.1
END
# A process named ESC [ 2 J and a bell: the note's payload by hand, pid 104.
printf 'name 104 \033[2J\007x\nmessage a\033]0;title\007b\nQ W 500+8 @2.2 p104\nD W 500+8 @2.3\nC W 500+8 @2.4\n' >more
mktrace more.blktrace.0 <more
cat more.blktrace.0 >>'=x"y.blktrace.0'
for format in txt csv json; do
	btviz report -t '=x"y' -l '=cmd|calc' --all-processes -o out.$format
	LC_ALL=C tr -d '\n -~\200-\377' <out.$format | wc -c
done
grep -c 'process.bytes' out.csv
cut -d, -f1 out.csv | sort -u
grep 'process.seeks' out.csv | sed 's/.*process.seeks,//'
grep comm\" out.json
# One label is the same text in every output: bytes that are no character, a control, a mark of order.
label=$(printf 'a\377b\033c\357\273\277d')
echo 'wall 1700000000
Q W 100+8 @1.0
D W 100+8 @1.1
C W 100+8 @1.2' | mktrace one.blktrace.0
btviz report -t one -l "$label" | head -1
btviz report -t one -l "$label" --format json | grep '"label": "a'
btviz report -t one -l "$label" --format csv | sed -n '2s/,.*//p'
LC_ALL=C.UTF-8 btviz show -t one -l "$label" | head -1 | cut -c 1-20
printf 'label,value\nx,1\n%s,2\n' "$label" | btviz compare --table - --format csv | grep '^[^,]*,[^,]*,a' | cut -d, -f3
