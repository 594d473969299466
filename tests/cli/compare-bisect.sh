# git bisect run over a repository whose commits select recordings: it ends at the commit that was made
# the first bad one, over a revision that has no trace and must be skipped.
command -v git > /dev/null || { echo "git is not installed"; exit 77; }
export GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_SYSTEM=/dev/null
export GIT_AUTHOR_NAME=t GIT_AUTHOR_EMAIL=t@example.org GIT_COMMITTER_NAME=t GIT_COMMITTER_EMAIL=t@example.org

git init -q kernel
cd kernel
for change in "1 good" "2 good" "3 good" "4 good" "5 good" "6 broken" "7 good" "8 bad" "9 bad" "10 bad" "11 bad"; do
	set -- $change
	echo "$2" > state
	echo "$1" > version
	git add state version
	git commit -q -m "change $1"
done

btviz report -t "$TESTDATA/real/raid0-good.tar.xz" --save ../good.btviz.json > ../report

# "Builds, boots and traces": a broken revision leaves no trace behind.
cat > ../try-it <<'END'
cp "$TESTDATA/real/raid0-$(cat state).tar.xz" ../run.tar.xz 2> /dev/null || rm -f ../run.tar.xz
btviz compare base: ../good.btviz.json this: ../run.tar.xz
END
git bisect start HEAD HEAD~10 > /dev/null 2>&1
git bisect run sh ../try-it > ../log 2>&1
grep 'is the first bad commit' ../log | sed 's/^[0-9a-f]* //'
git show -s --format=%s refs/bisect/bad
git bisect log | grep -c '^git bisect skip' || true
