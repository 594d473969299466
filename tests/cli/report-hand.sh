# A run small enough to be worked out by hand: every figure below was.
#
# sdb: two bios of 4 KiB merged into one request, then one read. Q2C of the bios 100 and 90 ms, of the
# read 20 ms; D2C 50 and 10 ms. 8 KiB written in 1 s are 8192 B/s. The read is a seek. In flight for
# 60 ms of 1 s. Outstanding: 10 ms one, 90 ms two, 20 ms one: 0.21 on average.
mktrace sdb.blktrace.0 <<'END'
name 7 writer
name 8 reader
Q W 1000+8 @10.000 p7
G W 1000+8 @10.005
Q W 1008+8 @10.010
M W 1008+8 @10.015
I W 1000+16 @10.030
D W 1000+16 @10.050
C W 1000+16 @10.100 p0
Q R 500000+64 @10.980 p8
G R 500000+64 @10.983
I R 500000+64 @10.985
D R 500000+64 @10.990
C R 500000+64 @11.000 p0
END
btviz report -t sdb --device-tables --interval 0.5
