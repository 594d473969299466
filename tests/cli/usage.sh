# Wrong usage: exit code 2, and words that say what is wrong and where help is.
try btviz
try btviz -t
try btviz -t md0 --frobnicate
try btviz -t md0 -Z
try btviz --writes-only=5 -t md0

# What was probably meant.
printf 'Q W 100+8 @0.5\nD W 100+8\nC W 100+8\n' | mktrace sdb.blktrace.0
try btviz reprot -t sdb
try btviz sdb
try btviz sdb.blktrace.0
try btviz xyzzy
try btviz -t sdb sdb
try btviz report -t sdb --formt csv
try btviz help evnts
btviz help report > report.help
btviz report --help | cmp - report.help
btviz --help > help
btviz help | cmp - help
try btviz report sdb
try btviz report -t sdb --json
btviz --version > version
btviz version | cmp - version
btviz report -t sdb --format json -o json.txt
