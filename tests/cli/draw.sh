# Drawing: kinds of picture, and runs that other tools stumble over.
kind() { head -c 4 "$1" | tr -d '\211\r\n' | tr -c 'A-Za-z<%' '.'; echo; }
size() { od -An -tu1 -j16 -N8 "$1" | awk '{ print $3 * 256 + $4 "x" $7 * 256 + $8 }'; }

printf 'Q W 100+8 @0.5\nD W 100+8\nC W 100+8\nQ R 900+8\nD R 900+8\nC R 900+8\n' |
	mktrace sdb.blktrace.0
for suffix in png svg pdf PNG; do
	btviz -t sdb -o "sdb.$suffix"
	kind "sdb.$suffix"
done
btviz -t sdb -o - > out && kind out
btviz -t sdb && kind trace.png

echo 'sizes:'
btviz -t sdb -F 800x600 -o a.png && size a.png
btviz -t sdb -F 8x6 --dpi 100 -o a.png && size a.png
btviz -t sdb -O tput -F 1500x300 -o a.png && size a.png

echo 'odd runs:'
printf 'Q W 100+8 @0.5\n' | mktrace one.blktrace.0
printf 'Q W 100+8 @0.5\nD W 100+8 @0.5\nC W 100+8 @0.5\n' | mktrace moment.blktrace.0
printf 'Q D 0+8388607 @0\nD D 0+8388607 @1\nC D 0+8388607 @2\n' | mktrace discards.blktrace.0
printf 'Q FWS 0+0 @0\nD FWS 0+0 @1\nC FWS 0+0 @2\n' | mktrace flush.blktrace.0
printf 'Q R 1000000000+8 @0\nC R 1000000000+8 @0.002\n' | mktrace far.blktrace.0
for run in one moment discards flush far; do
	try btviz -t $run -P --panels all -o $run.png
done
try btviz -t one -t sdb -t moment -t discards -t far -o five.png
try btviz -t one -t sdb --layout overlay -o overlay.png
try btviz -t one -t sdb --layout overlay -o overlay.html
try btviz -t one -F 8x6 -o sized.html
try btviz -t one -t sdb --layout rows --title 'Größe 大きさ' -l "$(printf 'x%.0s' $(seq 300))" -o rows.png
try btviz -t sdb -x 0:1ms -z 0:1 -o zoom.png
try btviz -t sdb -x 7:8 -o nothing.png
try btviz -t sdb -t sdb -o twice.png
ls | LC_ALL=C sort
