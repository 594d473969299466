# Lines of blkparse's kind, CSV and JSON; filters; foreign text that cannot do harm.
cat > in <<'END'
name 77 dd
name 78 =1+1
Q W 100+8 @1.0 c0 p77 d9,0
message hello
A W 2148+8 p77 d8,16 <- 9,0 100
Q W 2148+8
X W 0+8 d9,0 / 4
U N 0+0 = 3
Q FWS 0+0 p78
C W 2148+8 d8,16 e-5 p0
Q R 5000+16 c1 p99
END
mktrace in.bin < in
try btviz events -t in.bin
try btviz events -t in.bin --format csv
try btviz events -t in.bin --format jsonl
try btviz events -t in.bin --action C,X
try btviz events -t in.bin --op flush
try btviz events -t in.bin -d 8,16 --op read,write
try btviz events -t in.bin --process '=1+1'
try btviz events -t in.bin --process 99
try btviz events -t in.bin -x 0.001:0.004
try btviz events -t in.bin --sector 2150:2160
mktrace --v8 --be in8.bin < in
btviz events -t in8.bin > a8
btviz events -t in.bin > a7
cmp a7 a8
btviz events -t - < in.bin | cmp - a7
printf 'name 77 \033[31mred\nQ W 1+8 p77\n' > red
mktrace red.bin < red
try btviz events -t red.bin
