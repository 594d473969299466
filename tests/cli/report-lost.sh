# One completion of a hundred was lost: the I/O must not count as under way for the rest of the run.
# 100 reads, one every 10 ms, each in flight for 4 ms and queued for 5 ms; the twentieth has no C.
# Outstanding on average: 99 x 5 ms in 0.995 s = 0.497; in flight 99 x 4 ms = 0.398.
LC_ALL=C awk 'BEGIN {
	for (i = 0; i < 100; i++) {
		t = 10 + i * 0.010
		printf "Q R %d+8 @%.6f\nD R %d+8 @%.6f\n", i * 8, t, i * 8, t + 0.001
		if (i != 19)
			printf "C R %d+8 @%.6f\n", i * 8, t + 0.005
	}
}' </dev/null | mktrace sdb.blktrace.0
btviz report -t sdb --format json >out.json
grep -A 12 '"depth"' out.json
grep -E '"(utilisation|unpaired|suspected_loss)"' out.json
btviz report -t sdb | head -n 6
