# A saved summary serves wherever a trace does, and gives the same.
good=$TESTDATA/real/raid0-good.tar.xz bad=$TESTDATA/real/raid0-bad.tar.xz
btviz report -t "$good" -l run --save good.btviz.json > of-trace
btviz report -t good.btviz.json -l run > of-saved
cmp of-trace of-saved
[ "$(wc -c < good.btviz.json)" -lt 262144 ]
gzip -t < good.btviz.json
try btviz compare base: good.btviz.json this: "$bad" | sed "s|$TESTDATA|DIR|"
# Plain JSON, and a copy elsewhere, are as good; a cut one and another version are not.
gzip -dc < good.btviz.json > plain.json
try btviz compare base: good.btviz.json this: plain.json
mkdir kept && cp good.btviz.json kept/
btviz report -D kept -t good.btviz.json -l run | cmp - of-trace
head -c 5000 good.btviz.json > cut.btviz.json
try btviz report -t cut.btviz.json
sed 's|btviz.summary/2|btviz.summary/9|' plain.json > next.json
try btviz report -t next.json
echo '{"schema": "btviz.report/1"}' > report.json
try btviz report -t report.json
try btviz report -t good.btviz.json -x 1:2
try btviz report -t good.btviz.json -d sdz
try btviz report -t "$good" --save nowhere/x.json | tail -n 2
LC_ALL=C ls
