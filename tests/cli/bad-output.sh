# Output that cannot be written, or values that make no sense, are said before or instead of drawing.
printf 'Q W 100+8 @0.5\nD W 100+8\nC W 100+8\nQ W 108+8\nD W 108+8\nC W 108+8\n' | mktrace sdb.blktrace.0

try btviz -t sdb -o nodir/sdb.png
try btviz -t sdb -o .
try btviz -t sdb -o sdb.bmp
try btviz -t sdb -o sdb
echo 'full disk:'
btviz -t sdb -o - > /dev/full || echo "exit $?"
ls | LC_ALL=C sort

# What is read, and what is a recording, is not written over.
cp sdb.blktrace.0 here.png
try btviz -t here.png -o here.png
try btviz report -t sdb -o sdb.blktrace.0
try btviz report -t here.png --save here.png
try btviz compare a: here.png b: sdb -o here.png
cmp sdb.blktrace.0 here.png && echo "still there"
