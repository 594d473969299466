# One line an I/O: stages worked by hand, filters, what never ended, sorts, and what lies below others.
mktrace md0.blktrace.0 <<'END'
Q W 0+16 @0.000 p7 d9,0
name 7 dd
name 8 kworker/u8:1
C W 0+16 @0.050
Q R 64+8 @0.100 p7
C R 64+8 @0.102 e-5
Q W 128+8 @0.200 p8
END
mktrace sdb.blktrace.0 <<'END'
A W 1000+16 <- 9,0 0 @0.001 p7 d8,16
Q W 1000+8 @0.002 p7
G W 1000+8 @0.003
I W 1000+8 @0.004
Q W 1008+8 @0.005
M W 1008+8 @0.006
D W 1000+16 @0.010
C W 1000+16 @0.040
A R 1064+8 <- 9,0 64 @0.100
Q R 1064+8 @0.1005 p7
D R 1064+8 @0.101
C R 1064+8 @0.102 e-5
A W 1128+8 <- 9,0 128 @0.2002 p8
Q W 1128+8 @0.2003
D W 1128+8 @0.2004
END
try btviz ios -t md0,sdb
try btviz ios -t md0,sdb -d sdb
try btviz ios -t md0,sdb -d sdb --format csv
try btviz ios -t md0,sdb --format jsonl
btviz ios -t md0,sdb --format json -o i.json
btviz ios -t md0,sdb -o i.jsonl
cmp i.json i.jsonl
try btviz ios -t md0,sdb -d sdb --sort sector
try btviz ios -t md0,sdb -d sdb --sort latency
try btviz ios -t md0,sdb -d sdb --slowest 1
try btviz ios -t md0,sdb -d sdb --slower-than 36ms
try btviz ios -t md0,sdb --slower-than 50ms
try btviz ios -t md0,sdb --failed
try btviz ios -t md0,sdb --open
try btviz ios -t md0,sdb --open --failed --sort time
try btviz ios -t md0,sdb --at 0.0501
try btviz ios -t md0,sdb --at 49ms
try btviz ios -t md0,sdb --at 0.2003
try btviz ios -t md0,sdb --op read
try btviz ios -t md0,sdb --process 'd*' -x 0.05:
try btviz ios -t md0,sdb --sector 60:70
try btviz ios -t md0,sdb -d sdc
try btviz ios -t md0,sdb --process cp
try btviz ios -t sdb
echo 'for fio:'
try btviz ios -t md0,sdb --format fio
try btviz ios -t md0,sdb -d sdb --format fio --fio-time issue --op write
try btviz ios -t md0,sdb --format fio --slowest 3
try btviz ios -t md0,sdb --format fio -o x.csv
try btviz ios
try btviz ios -t md0 -t sdb
try btviz ios -t md0 --slowest 0
try btviz ios -t md0 --at soon
try btviz ios -t md0 -o md0.blktrace.0
try btviz ios -t md0 --format sqlite
try btviz ios -t - -o x.db
