# All the forms of a name, and files as recorders leave them: each finds its records, and no others.
count() {
	printf '%s: ' "$*"
	btviz events "$@" 2>&1 | grep -c '^ *[0-9]*,[0-9]' || :
}
writes() { # FIRST-SECTOR DEVICE CPU: three records
	printf 'Q W %d+8 @0.5 c%d d%s\nD W %d+8\nC W %d+8\n' "$1" "$3" "$2" "$1" "$1"
}

# One CPU is empty, others are missing.
writes 100 8,16 0 | mktrace md0.trace.blktrace.1
: > md0.trace.blktrace.0
writes 200 8,16 4 | mktrace md0.trace.blktrace.4
count -t md0.trace
count -t md0.trace.blktrace
count -t md0.trace.blktrace.1
count -t ./md0.trace
count -t "$PWD/md0.trace"
count -t md0.trace -D "$PWD"
count -t md0.trace -D nowhere

# An absolute name wins over -D.
count -t "$PWD/md0.trace" -D nowhere

# Another trace whose name begins the same is not in it.
writes 300 8,32 0 | mktrace md0.trace2.blktrace.0
count -t md0.trace

# Seekwatcher's names of several devices, and ours.
mkdir several
writes 100 8,16 0 | mktrace several/run..dev.sdb.blktrace.0
writes 100 8,32 0 | mktrace several/run..dev.sdc.blktrace.0
writes 100 8,48 0 | mktrace several/run.sdd.blktrace.0
count -t several/run
count -t several
count -t several/run.sdd
count -t several/run..dev.sdb,several/run..dev.sdc

# Blanks, dots, exclamation marks, a long name.
mkdir 'odd names'
writes 100 8,16 0 | mktrace 'odd names/my trace. v2 .blktrace.0'
count -t 'odd names/my trace. v2 '
writes 100 104,0 0 | mktrace 'odd names/cciss_c0d0.blktrace.0'
count -t 'odd names/cciss!c0d0'
count -t 'odd names/cciss_c0d0'
long=$(printf '%0230d' 0)
writes 100 8,16 0 | mktrace "odd names/$long.blktrace.0"
count -t "odd names/$long" | sed 's/0\{200,\}/LONG/'
count -t 'odd names'

# The suffix is not the CPU.
writes 100 8,16 1 | mktrace wrong.blktrace.0
count -t wrong

# Compressed, and in an archive; a dump; a pipe.
cat md0.trace.blktrace.1 md0.trace.blktrace.4 > dump.bin
count -t dump.bin
gzip -k dump.bin
count -t dump.bin.gz
tar -cf set.tar md0.trace.blktrace.0 md0.trace.blktrace.1 md0.trace.blktrace.4
count -t set.tar
btviz events -t - < dump.bin | grep -c '^ *[0-9]*,[0-9]'
