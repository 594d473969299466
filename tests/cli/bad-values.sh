# Values of options that make no sense: exit code 2, and what would have made sense.
printf 'Q W 100+8 @0.5\nD W 100+8\nC W 100+8\nQ W 108+8\nD W 108+8\nC W 108+8\n' | mktrace sdb.blktrace.0

draw() {
	try btviz -t sdb -o sdb.png "$@"
}
draw -x 5
draw -x 5:3
draw -x a:b
draw -x -1:3
draw -z 1Q:2Q
draw -F 12
draw -F 0x0
draw -F 1e9x1e9
draw --dpi none
draw --dpi 0
draw -C 0
draw -r soon
draw -c reddish
draw -c "#12345"
draw -O nosuch
draw -N nosuch
draw --panels io,nosuch
draw --layout heap
draw --clock sun
draw --align left
draw --gap-threshold -5
draw --gap-threshold 1w
draw --gap-threshold 0s
draw --rolling-avg 0
draw -m rect --movie-length 0
try btviz record -d sda --duration 0
draw --seek-distance x
draw -j 0
draw -d nosuch
draw -W -R
draw -l one -l two
draw operand
try btviz -o sdb.png
try btviz frobnicate -t sdb
ls | LC_ALL=C sort
