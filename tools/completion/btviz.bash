# bash completion for btviz. tests/check/help.py compares the words with --help.
_btviz()
{
	local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD - 1]} command=plot words

	case ${COMP_WORDS[1]} in
	show | report | compare | events | record) command=${COMP_WORDS[1]} ;;
	esac
	case $prev in
	-O | --only-graph | -N | --no-graph | --panels)
		mapfile -t COMPREPLY < <(compgen -W "io members tput latency seek iops depth size vm cpu stats" -- "$cur")
		return
		;;
	--layout)
		mapfile -t COMPREPLY < <(compgen -W "columns rows overlay" -- "$cur")
		return
		;;
	--align)
		mapfile -t COMPREPLY < <(compgen -W "start wall" -- "$cur")
		return
		;;
	--clock)
		mapfile -t COMPREPLY < <(compgen -W "relative wall" -- "$cur")
		return
		;;
	esac
	case $command$prev in
	compare-m | compare--metric)
		mapfile -t COMPREPLY < <(compgen -W "mb_per_s ios_per_s seeks_per_s latency_p50_ms latency_p99_ms gap_time_s effective_members run_time_s" -- "$cur")
		return
		;;
	compare--format)
		mapfile -t COMPREPLY < <(compgen -W "text json csv markdown" -- "$cur")
		return
		;;
	compare--chart)
		mapfile -t COMPREPLY < <(compgen -W "auto dots sweep" -- "$cur")
		return
		;;
	plot-m | plot--movie)
		mapfile -t COMPREPLY < <(compgen -W "rect spindle" -- "$cur")
		return
		;;
	report--format)
		mapfile -t COMPREPLY < <(compgen -W "text json csv" -- "$cur")
		return
		;;
	events--format)
		mapfile -t COMPREPLY < <(compgen -W "text csv jsonl" -- "$cur")
		return
		;;
	show--color)
		mapfile -t COMPREPLY < <(compgen -W "auto always never" -- "$cur")
		return
		;;
	record--backend)
		mapfile -t COMPREPLY < <(compgen -W "auto tracefs blktrace" -- "$cur")
		return
		;;
	esac
	case $command in
	compare) words="--bisect --baseline --metric --all --threshold --expect --table --format --output --chart --title --figure-size --dpi --trace-dir --device --xzoom --gap-threshold --seek-distance --strict --jobs --help" ;;
	events) words="--trace --trace-dir --format --device --action --op --process --time --sector --messages --strict --help" ;;
	record) words="--device --trace --prog --duration --no-members --backend --blktrace --buffer-size --sample-interval --no-samples --cleanup --help" ;;
	plot) words="--trace --output --trace-dir --device --prog --label --title --writes-only --reads-only --xzoom --zoom --rolling-avg --only-graph --no-graph --panels --figure-size --dpi --columns --layout --align --clock --colors --tag-process --only-io-graph-seeks --merge --movie --movie-length --movie-frames --gap-threshold --seek-distance --strict --jobs --no-progress --help --version" ;;
	report) words="--trace --output --format --device --process --interval --merge --label --only --trace-dir --xzoom --save --gap-threshold --seek-distance --strict --jobs --no-progress --help" ;;
	show) words="--trace --trace-dir --device --label --xzoom --writes-only --reads-only --ascii --color --width --gap-threshold --seek-distance --strict --jobs --no-progress --help" ;;
	commands) words="show report compare events record" ;;
	esac
	if [[ $cur == -* ]]; then
		mapfile -t COMPREPLY < <(compgen -W "$words" -- "$cur")
		return
	fi
	mapfile -t COMPREPLY < <(compgen -f -- "$cur")
	if ((COMP_CWORD == 1)); then
		mapfile -t -O "${#COMPREPLY[@]}" COMPREPLY < <(compgen -W "show report compare events record" -- "$cur")
	fi
	compopt -o filenames 2>/dev/null
}
complete -F _btviz btviz
