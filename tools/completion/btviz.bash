# bash completion for btviz, written by tools/completion/make.py.
_btviz_devices()
{
	local i f trace

	for ((i = 1; i < COMP_CWORD; i++)); do
		case ${COMP_WORDS[i]} in
		-t | --trace) trace=${COMP_WORDS[i + 1]} ;;
		esac
	done
	for f in "$trace"/*.blktrace.0 "$trace".*.blktrace.0 "$trace".blktrace.0; do
		[[ -e $f ]] || continue
		f=${f##*/}
		f=${f%.blktrace.0}
		echo "${f##*.}"
	done
}

_btviz_list()
{
	local before=

	[[ $2 == *,* ]] && before=${2%,*},
	mapfile -t COMPREPLY < <(compgen -P "$before" -W "$1" -- "${2##*,}")
	compopt -o nospace 2>/dev/null
}

_btviz()
{
	local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD - 1]} command=plot words

	case ${COMP_WORDS[1]} in
	show | report | compare | events | ios | record | help) command=${COMP_WORDS[1]} ;;
	esac
	case $command$prev in
	plot-D | plot--trace-dir | show-D | show--trace-dir | report-D | report--trace-dir | compare-D | compare--trace-dir | events-D | events--trace-dir | ios-D | ios--trace-dir)
		mapfile -t COMPREPLY < <(compgen -d -- "$cur")
		return
		;;
	plot-d | plot--device | show-d | show--device | report-d | report--device | compare-d | compare--device | events-d | events--device | ios-d | ios--device)
		mapfile -t COMPREPLY < <(compgen -W "$(_btviz_devices)" -- "$cur")
		return
		;;
	plot-p | plot--prog | plot-l | plot--label | plot-T | plot--title | plot-x | plot--xzoom | plot-z | plot--zoom | plot-r | plot--rolling-avg | plot-F | plot--figure-size | plot--dpi | plot-C | plot--columns | plot-c | plot--colors | plot-M | plot--merge | plot--movie-length | plot--movie-frames | plot--gap-threshold | plot--seek-distance | plot-j | plot--jobs | show-l | show--label | show-x | show--xzoom | show--width | show--gap-threshold | show--seek-distance | show-j | show--jobs | report--interval | report-M | report--merge | report-l | report--label | report-x | report--xzoom | report--gap-threshold | report--seek-distance | report-j | report--jobs | compare-l | compare--label | compare-b | compare--baseline | compare--threshold | compare--expect | compare--sporadic-rate | compare--miss | compare--block | compare--axis | compare-T | compare--title | compare-F | compare--figure-size | compare--dpi | compare-x | compare--xzoom | compare--gap-threshold | compare--seek-distance | compare-j | compare--jobs | events--process | events-x | events--xzoom | events--sector | ios--process | ios-x | ios--xzoom | ios--sector | ios--slower-than | ios--slowest | ios--at | record-p | record--prog | record--duration | record--buffer-size | record--sample-interval)
		COMPREPLY=()
		return
		;;
	plot-O | plot--only-graph | plot-N | plot--no-graph)
		mapfile -t COMPREPLY < <(compgen -W "io members tput latency seek iops depth size vm cpu stats merge" -- "$cur")
		return
		;;
	plot--panels)
		_btviz_list "io members tput latency seek iops depth size vm cpu stats merge" "$cur"
		return
		;;
	plot--layout)
		mapfile -t COMPREPLY < <(compgen -W "columns rows overlay" -- "$cur")
		return
		;;
	plot--align)
		mapfile -t COMPREPLY < <(compgen -W "start wall" -- "$cur")
		return
		;;
	plot--clock)
		mapfile -t COMPREPLY < <(compgen -W "relative wall" -- "$cur")
		return
		;;
	plot-m | plot--movie)
		mapfile -t COMPREPLY < <(compgen -W "rect spindle" -- "$cur")
		return
		;;
	show--color)
		mapfile -t COMPREPLY < <(compgen -W "auto always never" -- "$cur")
		return
		;;
	report--format)
		mapfile -t COMPREPLY < <(compgen -W "text json csv jsonl" -- "$cur")
		return
		;;
	compare-m | compare--metric)
		mapfile -t COMPREPLY < <(compgen -W "mb_per_s ios_per_s seeks_per_s latency_p50_ms latency_p99_ms gap_time_s effective_members run_time_s" -- "$cur")
		return
		;;
	compare--format)
		mapfile -t COMPREPLY < <(compgen -W "text json csv markdown jsonl" -- "$cur")
		return
		;;
	compare--chart)
		mapfile -t COMPREPLY < <(compgen -W "auto dots sweep" -- "$cur")
		return
		;;
	events--format)
		mapfile -t COMPREPLY < <(compgen -W "text csv jsonl json" -- "$cur")
		return
		;;
	events--action)
		_btviz_list "Q M F G S R D C P U UT I X B A abort ZP ZU m" "$cur"
		return
		;;
	events--op | ios--op)
		_btviz_list "read write discard zeroes flush zone passthrough" "$cur"
		return
		;;
	ios--format)
		mapfile -t COMPREPLY < <(compgen -W "text csv jsonl json fio sqlite" -- "$cur")
		return
		;;
	ios--sort)
		mapfile -t COMPREPLY < <(compgen -W "time latency size sector" -- "$cur")
		return
		;;
	ios--fio-time)
		mapfile -t COMPREPLY < <(compgen -W "queue issue" -- "$cur")
		return
		;;
	record-d | record--device)
		mapfile -t COMPREPLY < <(compgen -W "$(ls /sys/block 2>/dev/null)" -- "$cur"; compgen -f -- "$cur")
		return
		;;
	record--backend)
		mapfile -t COMPREPLY < <(compgen -W "auto tracefs blktrace" -- "$cur")
		return
		;;
	esac
	case $command in
	plot) words="--trace --output --trace-dir --device --prog --force --label --title --writes-only --reads-only --xzoom --zoom --rolling-avg --only-graph --no-graph --panels --figure-size --dpi --columns --layout --align --clock --colors --tag-process --only-io-graph-seeks --merge --movie --movie-length --movie-frames --gap-threshold --seek-distance --strict --jobs --no-progress --help --version" ;;
	show) words="--trace --trace-dir --device --label --xzoom --writes-only --reads-only --ascii --color --width --gap-threshold --seek-distance --strict --jobs --no-progress --help" ;;
	report) words="--trace --output --format --device-tables --all-processes --interval --merge --label --device --trace-dir --xzoom --save --gap-threshold --seek-distance --strict --jobs --no-progress --help" ;;
	compare) words="--trace --label --baseline --metric --all --threshold --expect --sporadic-rate --miss --block --table --format --output --chart --axis --title --figure-size --dpi --trace-dir --device --xzoom --gap-threshold --seek-distance --strict --bisect --jobs --help" ;;
	events) words="--trace --trace-dir --output --format --device --action --op --process --xzoom --sector --messages --strict --help" ;;
	ios) words="--trace --trace-dir --output --format --device --op --process --xzoom --sector --slower-than --slowest --at --failed --open --sort --fio-time --strict --help" ;;
	record) words="--device --trace --force --prog --duration --no-members --backend --blktrace --buffer-size --sample-interval --no-samples --cleanup --help" ;;
	help) words="show report compare events ios record options" ;;
	commands) words="show report compare events ios record help" ;;
	esac
	if [[ $cur == -* || $command == help ]]; then
		mapfile -t COMPREPLY < <(compgen -W "$words" -- "$cur")
		return
	fi
	mapfile -t COMPREPLY < <(compgen -f -- "$cur")
	if ((COMP_CWORD == 1)); then
		mapfile -t -O "${#COMPREPLY[@]}" COMPREPLY < <(compgen -W "show report compare events ios record help" -- "$cur")
	fi
	compopt -o filenames 2>/dev/null
}
complete -F _btviz btviz
