# git bisect run over a repository whose commits select recordings: it ends at the commit that was made
# the first bad one, over a revision that has no trace and must be skipped; and it stops, naming no commit,
# where the script itself is wrong.
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
	# the order in which git tries them depends on their dates
	GIT_AUTHOR_DATE="$((1700000000 + $1)) +0000" GIT_COMMITTER_DATE="$((1700000000 + $1)) +0000" \
		git commit -q -m "change $1"
done

btviz report -t "$TESTDATA/real/raid0-good.tar.xz" --save ../good.btviz.json > ../report

# bisect COMPARISON...: what git makes of a script that "builds, boots and traces" (a broken revision leaves
# no trace behind) and then runs the comparison.
bisect() {
	cat > ../try-it <<-END
	rm -f ../run.tar.xz
	[ \$(cat state) != broken ] || exit 125
	cp "$TESTDATA/real/raid0-\$(cat state).tar.xz" ../run.tar.xz
	$*
	END
	echo "\$ $*"
	git bisect start HEAD HEAD~10 > /dev/null 2>&1
	git bisect run sh ../try-it > ../log 2>&1 && echo "run ended with 0" || echo "run ended otherwise"
	if grep -q 'is the first bad commit' ../log; then
		echo "first bad: $(git show -s --format=%s refs/bisect/bad)"
	fi
	echo "skipped: $(git bisect log | grep -c '^git bisect skip' || true)," \
		"called bad: $(git bisect log | grep -c '^git bisect bad [0-9a-f]' || true)"
	git bisect reset > /dev/null 2>&1
}

bisect btviz compare --bisect base: ../good.btviz.json this: ../run.tar.xz
# Each of these would have made a good revision bad, or all of them: 2, 1, 126 and 127 are "bad" to git.
bisect btviz compare --bisect --treshold 10% base: ../good.btviz.json this: ../run.tar.xz
bisect btviz compare --tabel x --bisect base: ../good.btviz.json this: ../run.tar.xz
bisect btviz compare --bisect base: ../god.btviz.json this: ../run.tar.xz
bisect btviz compare --bisect base: ../good.btviz.json this:
bisect btviz compare --bisect base: ../good.btviz.json this: ../run-*
bisect btviz compare --bisect base: ../good.btviz.json this: ../run.tar.xz -o /nowhere/x.png
bisect btviz compare --bisect --baseline besa base: ../good.btviz.json this: ../run.tar.xz
bisect btviz compare --bisect --help
# A comparison that cannot tell skips, and names no commit.
printf 'label,value\na,100\na,100\nb,90\nb,104\n' > ../noisy.csv
bisect btviz compare --bisect --table ../noisy.csv

cd ..
try btviz compare --bisect
try btviz compare --bis x
try btviz compare --bisect good: nothere bad: neither
try btviz compare --bisect --table noisy.csv
printf 'label,value\na,100\nb,50\n' > bad.csv
try btviz compare --bisect --table bad.csv
[ ! -w /dev/full ] || { btviz compare --bisect --table bad.csv > /dev/full || echo "full: $?"; } 2>&1
