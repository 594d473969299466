# A report appears whole or not at all, and where it was asked for.
mktrace sdb.blktrace.0 <<'END'
Q R 100+8 @1.0
D R 100+8 @1.1
C R 100+8 @1.3
END
btviz report -t sdb --format csv -o a.csv
btviz report -t sdb --format csv | cmp - a.csv
btviz report -t sdb --format csv -o - | cmp - a.csv
ls

# The old file stays when there is nothing to write, and its mode when there is.
echo old >kept && chmod 600 kept
try btviz report -t nothere -o kept
cat kept
btviz report -t sdb --format csv -o kept
cmp kept a.csv && stat -c %a kept

# Through a symbolic link.
mkdir far && echo old >far/target && ln -s far/target link
btviz report -t sdb --format csv -o link
test -L link && cmp far/target a.csv
ls far

# Where it cannot be written.
try btviz report -t sdb -o missing/a.csv
try btviz report -t sdb -o far
[ ! -e /dev/full ] || try sh -c 'btviz report -t sdb >/dev/full'
[ ! -e /dev/full ] || try btviz report -t sdb -o /dev/full
btviz report -t sdb --format json | head -n 1
ls
