# Wrong usage of report: exit code 2, and nothing on standard output.
try btviz report
try btviz report -t
try btviz report -t a --format xml
try btviz report -t a --interval 0
try btviz report -t a --interval soon
try btviz report -t a md0
try btviz report -t a -l one -l two
try btviz report -t a -t b --save s.json
try btviz report -t a -x 5:3
try btviz report -t nothere
