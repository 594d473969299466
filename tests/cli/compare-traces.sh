# A steady run against one whose submitter was stopped now and then; raid1 readers as a sweep.
cd "$TESTDATA/real"
try btviz compare --all good: raid0-good.tar.xz bad: raid0-bad.tar.xz
try btviz compare good: raid0-good.tar.xz raid0-good.tar.xz same: raid0-good.tar.xz raid0-good.tar.xz
try btviz compare -m gap_time_s good: raid0-good.tar.xz bad: raid0-bad.tar.xz
try btviz compare -m effective_members all: raid0-good.tar.xz one: raid0-onedisk.tar.xz
try btviz compare -d sdb -m seeks_per_s a: raid0-good.tar.xz b: raid0-good.tar.xz
try btviz compare good: raid0-good.tar.xz bad: nothere raid0-bad.tar.xz
