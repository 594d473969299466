# Input that is no trace: exit code 1, a message that says what was found, and no output file touched.
echo 'a good picture' > kept.png

try btviz -t nothere -o kept.png
try btviz -t nothere -D nodir -o kept.png

mkdir empty-dir
try btviz -t empty-dir -o kept.png

echo 'These are my notes on the array.' > notes.txt
try btviz -t notes.txt -o kept.png

: > empty.blktrace.0
: > empty.blktrace.1
try btviz -t empty -o kept.png
try btviz -t empty.blktrace.0 -o kept.png

printf 'wall 1700000000\nname 100 dd\nmessage hello\n' | mktrace only-notes.blktrace.0
try btviz -t only-notes -o kept.png

printf 'raw 06746165 01000000 0000000000000000 0000000000000000 00000000 0000 0000 00000000\n' |
	mktrace version6.blktrace.0
try btviz -t version6 -o kept.png

head -c 4096 /dev/zero > zeros
try btviz -t zeros -o kept.png

try btviz -t - -o kept.png

cat kept.png
ls | LC_ALL=C sort
