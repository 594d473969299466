# A machine that is mostly idle, one small write every few seconds for a minute, is not standing still.
LC_ALL=C awk 'BEGIN {
	for (i = 0; i < 20; i++) {
		t = 10 + i * 3 + (i * 7 % 5) * 0.2
		printf "Q W %d+8 @%.6f p7\nG W %d+8\nI W %d+8\nD W %d+8\nC W %d+8 @%.6f\n",
			i * 1000, t, i * 1000, i * 1000, i * 1000, i * 1000, t + 0.009
	}
}' </dev/null | mktrace loop0.blktrace.0
btviz report -t loop0 | sed -n 1,5p
btviz report -t loop0 --format json | grep -c '"kind"' || true

# The same pauses in a run that is busy otherwise are what it is about.
LC_ALL=C awk 'BEGIN {
	for (i = 0; i < 2000; i++) {
		t = 10 + i * 0.005 + (i >= 700) * 1.5 + (i >= 1400) * 2.5
		printf "Q W %d+8 @%.6f p7\nD W %d+8 @%.6f\nC W %d+8 @%.6f\n",
			i * 8, t, i * 8, t + 0.0001, i * 8, t + 0.0045
	}
}' </dev/null | mktrace sdb.blktrace.0
btviz report -t sdb | sed -n 1,8p
btviz report -t sdb --format json | grep -c '"kind"'
