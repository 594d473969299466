# JSON, CSV and Markdown of a comparison; the numbers have a point in every locale.
printf 'label,value\n"a|b, <i>",100\n"a|b, <i>",101.5\nlow,50\nlow,\nempty,\n' > t.csv
try btviz compare --table t.csv --format csv
try btviz compare --table t.csv --format markdown
try btviz compare --table t.csv --format json
try btviz compare --table - --format csv --metric latency_p99_ms < t.csv
