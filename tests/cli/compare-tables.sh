# The tables that were posted to kernel mailing lists: averages, changes and verdicts.
cd "$TESTDATA/tables"
try btviz compare --table single.csv
try btviz compare --table single.csv --expect +15%
try btviz compare --table raid0.csv
try btviz compare --table raid0.csv --baseline 2.6.26-rc8
try btviz compare --table threads.csv
