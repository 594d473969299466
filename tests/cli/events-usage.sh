# What is wrong is said, with exit code 2; what cannot be read ends with 1.
printf 'not a trace\n' > text
: > empty
mktrace --v8 ok.bin <<'END'
Q W 100+8
END
printf '\006tae and so on' > old.bin
try btviz events
try btviz events ok.bin
try btviz events -t ok.bin -t ok.bin
try btviz events -t ok.bin --format xml
try btviz events -t ok.bin --action Q,W
try btviz events -t ok.bin --op writes
try btviz events -t ok.bin -x 5
try btviz events -t ok.bin --sector 5
try btviz events -t ok.bin --sector 9:5
try btviz events -t nothere
try btviz events -t text
try btviz events -t empty
try btviz events -t old.bin
try btviz events -t ok.bin --strict
printf 'Q W 100+8\nQ W 108+8 s9\n' > hole
mktrace hole.bin < hole
try btviz events -t hole.bin --strict
