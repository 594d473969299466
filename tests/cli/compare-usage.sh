# What is wrong is said, with exit code 2; what cannot be read, or not told, ends with 125, never with 1.
printf 'label,value\na,1\nb,2\n' > t.csv
try btviz compare
try btviz compare x y
try btviz compare good:
try btviz compare good: bad: x
try btviz compare good: x bad:
try btviz compare : x
try btviz compare --table t.csv good: x
try btviz compare --table t.csv --all
try btviz compare --table t.csv --threshold 0.1
try btviz compare --table t.csv --threshold 0%
try btviz compare --table t.csv --threshold ten
try btviz compare --table t.csv --expect 1e3%
try btviz compare --table t.csv --metric speed
try btviz compare --table t.csv --baseline c
try btviz compare --table t.csv --format xml
try btviz compare --table nothere.csv
try btviz compare good: nothere bad: neither
printf 'label,value\na,1\n' > one.csv
try btviz compare --table one.csv
printf 'label,value\na,fast\n' > text.csv
try btviz compare --table text.csv
try btviz compare --table t.csv --table one.csv
printf 'label,value\na,100\na,100\nb,90\nb,104\n' > noisy.csv
try btviz compare --table noisy.csv
[ ! -w /dev/full ] || { btviz compare --table t.csv > /dev/full || echo "full: $?"; } 2>&1
try btviz compare --table t.csv -o t.html
try btviz compare --table t.csv -o t.bmp
try btviz compare --table t.csv --chart sweep -o t.png
try btviz compare --table t.csv --chart pie -o t.png
try btviz compare --table t.csv -F 300x100 -o t.png
try btviz compare --table t.csv -o nowhere/t.png
try btviz compare --table t.csv -T 'two labels' -F 6x5 --dpi 72 -o t.svg
LC_ALL=C ls
