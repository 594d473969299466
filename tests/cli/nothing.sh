# What fits nothing ends with 1 and says what there is; what is given twice or in quotes is explained.
mktrace a.blktrace.0 <<'END'
name 7 dd
name 8 kworker/u8:1
name 9 kworker/0:2
Q W 100+8 @0.5 p7
D W 100+8
C W 100+8
Q W 2148+8 p8
D W 2148+8
C W 2148+8
Q W 300+8 @2.5 p9
D W 300+8
C W 300+8
END
for command in report show events; do
	try btviz $command -t a -d sdz
	try btviz $command -t a -x 7:8
done
try btviz -t a -d sdz -o a.png
try btviz -t a -z 100:200 -o a.png
try btviz -t a -z 1:200 -o a.png
try btviz events -t a --process nobody
try btviz events -t a --action C --op read
try btviz events -t a --process 'kworker/*' --action Q
cp a.blktrace.0 b.blktrace.0
try btviz report -t '?.blktrace.0'
try btviz events -t 'x*'
mkdir runs
cp a.blktrace.0 runs
try btviz show -D runs -t '*.blktrace.0'
ls
