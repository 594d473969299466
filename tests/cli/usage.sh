# Wrong usage: exit code 2, and words that say what is wrong and where help is.
try btviz
try btviz -t
try btviz -t md0 --frobnicate
try btviz -t md0 -Z
try btviz --writes-only=5 -t md0
