#!/usr/bin/env python3
"""Writes the shells' completions from the tables that the program parses its options with.

    make.py BTVIZ FOLDER [--check]

btviz.bash, _btviz (zsh) and btviz.fish in FOLDER; with --check nothing is written, and what is not as it
would be is named. `btviz help --rows` gives the rows; only what an argument can be is known here."""
import os
import re
import subprocess
import sys

LISTS = {"LIST", "LETTERS", "OPS"}  # words with commas between them


class Option:
    def __init__(self, fields):
        self.command, self.name, self.letter, self.arg, words, self.help = fields
        self.words = words.split()
        self.repeatable = "repeatable" in self.help or self.name in ("device", "trace")

    def kind(self):
        """What its argument is: words, list, file, folder, device (of the trace), block, or text."""
        if self.words:
            return "list" if self.arg in LISTS else "words"
        if self.arg == "DEV":
            return "block" if self.command == "record" else "device"
        return {"DIR": "folder", "FILE": "file"}.get(self.arg, "file" if self.name == "trace" else "text")


def rows(btviz):
    commands, options = [], []
    text = subprocess.run([btviz, "help", "--rows"], capture_output=True, text=True, check=True).stdout
    for line in text.splitlines():
        kind, *fields = line.split("\t")
        (commands if kind == "command" else options).append(fields if kind == "command" else Option(fields))
    return commands, options


def summary(option):
    """The help, short enough for a list, without what a shell would take for its own."""
    return re.sub(r"['\"\[\]:`$\\]", "", re.split(r"[;:(]", option.help)[0]).strip()


BASH = """# bash completion for btviz, written by tools/completion/make.py.
_btviz_devices()
{{
	local i f trace

	for ((i = 1; i < COMP_CWORD; i++)); do
		case ${{COMP_WORDS[i]}} in
		-t | --trace) trace=${{COMP_WORDS[i + 1]}} ;;
		esac
	done
	for f in "$trace"/*.blktrace.0 "$trace".*.blktrace.0 "$trace".blktrace.0; do
		[[ -e $f ]] || continue
		f=${{f##*/}}
		f=${{f%.blktrace.0}}
		echo "${{f##*.}}"
	done
}}

_btviz_list()
{{
	local before=

	[[ $2 == *,* ]] && before=${{2%,*}},
	mapfile -t COMPREPLY < <(compgen -P "$before" -W "$1" -- "${{2##*,}}")
	compopt -o nospace 2>/dev/null
}}

_btviz()
{{
	local cur=${{COMP_WORDS[COMP_CWORD]}} prev=${{COMP_WORDS[COMP_CWORD - 1]}} command=plot words

	case ${{COMP_WORDS[1]}} in
	{commands}) command=${{COMP_WORDS[1]}} ;;
	esac
	case $command$prev in
{arguments}	esac
	case $command in
{options}	help) words="{commands_blank} options" ;;
	commands) words="{commands_blank} help" ;;
	esac
	if [[ $cur == -* || $command == help ]]; then
		mapfile -t COMPREPLY < <(compgen -W "$words" -- "$cur")
		return
	fi
	mapfile -t COMPREPLY < <(compgen -f -- "$cur")
	if ((COMP_CWORD == 1)); then
		mapfile -t -O "${{#COMPREPLY[@]}}" COMPREPLY < <(compgen -W "{commands_blank} help" -- "$cur")
	fi
	compopt -o filenames 2>/dev/null
}}
complete -F _btviz btviz
"""


def bash(commands, options):
    names = [name for name, _ in commands if name]
    actions = {}
    for o in options:
        pattern = " | ".join(f"{o.command or 'plot'}{word}" for word in
                             ([f"-{o.letter}"] if o.letter else []) + [f"--{o.name}"])
        action = {
            "words": f'mapfile -t COMPREPLY < <(compgen -W "{" ".join(o.words)}" -- "$cur")',
            "list": f'_btviz_list "{" ".join(o.words)}" "$cur"',
            "device": 'mapfile -t COMPREPLY < <(compgen -W "$(_btviz_devices)" -- "$cur")',
            "block": 'mapfile -t COMPREPLY < <(compgen -W "$(ls /sys/block 2>/dev/null)" -- "$cur"; '
                     'compgen -f -- "$cur")',
            "folder": 'mapfile -t COMPREPLY < <(compgen -d -- "$cur")',
            "text": "COMPREPLY=()",
        }.get(o.kind())
        if o.arg and action:
            actions.setdefault(action, []).append(pattern)
    arguments = "".join(f"\t{' | '.join(patterns)})\n\t\t{action}\n\t\treturn\n\t\t;;\n"
                        for action, patterns in actions.items())
    lists = "".join(f"\t{name or 'plot'}) words=\"" +
                    " ".join(f"--{o.name}" for o in options if o.command == name) + "\" ;;\n"
                    for name, _ in commands)
    return BASH.format(commands=" | ".join(names + ["help"]), commands_blank=" ".join(names),
                       arguments=arguments, options=lists)


ZSH_HEAD = """#compdef btviz
# zsh completion for btviz, written by tools/completion/make.py.

_btviz_devices() {
	local trace=${${opt_args[-t]:-${opt_args[--trace]}}%%:*}
	local -a found=($trace/*.blktrace.0(N:t) $trace.*.blktrace.0(N:t) $trace.blktrace.0(N:t))
	found=(${found%.blktrace.0})
	compadd -- ${found##*.}
}

_btviz_block() {
	local -a blocks=(/sys/block/*(N:t))
	_alternative 'blocks:block device:compadd -a blocks' 'files:file:_files -g "/dev/*"'
}
"""


def zsh_action(o):
    words = " ".join(o.words)
    return {"words": f"({words})", "list": f"_values -s , {o.arg} {words}", "device": "_btviz_devices",
            "block": "_btviz_block", "folder": "_directories", "file": "_files"}.get(o.kind(), "")


def zsh(commands, options):
    text = ZSH_HEAD
    for name, _ in commands:
        lines = []
        for o in (o for o in options if o.command == name):
            spelt = f"{{-{o.letter},--{o.name}}}'" if o.letter else f"'--{o.name}"
            if o.letter and o.repeatable and o.arg:
                spelt = "'*'" + spelt
            elif o.repeatable and o.arg:
                spelt = "'*" + spelt[1:]
            argument = f":{o.arg.replace(':', chr(92) + ':')}:{zsh_action(o)}" if o.arg else ""
            lines.append(f"\t\t{spelt}[{summary(o)}]{argument}'")
        if name == "record":
            lines.append("\t\t'*::program:_normal'")
        if name == "compare":
            lines.append("\t\t'*:LABEL\\: or trace:_files'")
        text += f"\n_btviz_{name or 'plot'}() {{\n\t_arguments -s \\\n" + " \\\n".join(lines) + "\n}\n"
    listed = "".join(f"\t\t'{name}:{re.split('[;:,]', what)[0]}'\n" for name, what in commands if name)
    return text + f"""
_btviz_help() {{
	compadd -- {' '.join(name for name, _ in commands if name)} options
}}

_btviz() {{
	local commands=(
{listed}		'help:the options of a command'
	)

	if (( CURRENT > 2 )) && (( $+functions[_btviz_$words[2]] )); then
		local command=$words[2]
		shift words
		(( CURRENT-- ))
		_btviz_$command
		return
	fi
	if (( CURRENT == 2 )) && [[ $words[2] != -* ]]; then
		_describe command commands
	fi
	_btviz_plot
}}

_btviz "$@"
"""


FISH_HEAD = """# fish completion for btviz, written by tools/completion/make.py.
function __btviz_devices
	set -l words (commandline -opc)
	set -l trace
	for i in (seq (count $words))
		contains -- $words[$i] -t --trace; and set trace $words[(math $i + 1)]
	end
	for f in $trace/*.blktrace.0 $trace.*.blktrace.0 $trace.blktrace.0
		test -e $f; and string replace -r '^.*[./]([^./]+)\\.blktrace\\.0$' '$1' -- $f
	end
end
"""


def fish(commands, options):
    names = " ".join(name for name, _ in commands if name)
    text = FISH_HEAD + f"\nset -l commands {names} help\n"
    for name, what in commands:
        if name:
            text += f"complete -c btviz -n \"not __fish_seen_subcommand_from $commands\" -a {name} " \
                    f"-d '{re.split('[;:,]', what)[0]}'\n"
    text += "complete -c btviz -n \"not __fish_seen_subcommand_from $commands\" -a help " \
            "-d 'the options of a command'\n"
    text += f"complete -c btviz -n '__fish_seen_subcommand_from help' -f -a '{names} options'\n"
    for o in options:
        when = f"'__fish_seen_subcommand_from {o.command}'" if o.command \
            else '"not __fish_seen_subcommand_from $commands"'
        argument = {"words": f" -x -a '{' '.join(o.words)}'",
                    "list": f" -x -a '(__fish_append , {' '.join(o.words)})'",
                    "device": " -x -a '(__btviz_devices)'",
                    "block": " -r -a '(command ls /sys/block 2>/dev/null)'",
                    "folder": " -x -a '(__fish_complete_directories)'",
                    "file": " -r"}.get(o.kind(), " -x") if o.arg else ""
        text += f"complete -c btviz -n {when}{f' -s {o.letter}' if o.letter else ''} -l {o.name}{argument} " \
                f"-d '{summary(o)}'\n"
    return text


def main():
    btviz, folder = sys.argv[1:3]
    commands, options = rows(btviz)
    wrong = []
    for name, make in (("btviz.bash", bash), ("_btviz", zsh), ("btviz.fish", fish)):
        path, want = os.path.join(folder, name), make(commands, options)
        if "--check" in sys.argv:
            have = open(path, encoding="utf-8").read() if os.path.exists(path) else ""
            if have != want:
                wrong.append(f"tools/completion/{name} is not what tools/completion/make.py BTVIZ "
                             "tools/completion would write")
        else:
            with open(path, "w", encoding="utf-8") as file:
                file.write(want)
    print("\n".join(wrong), end="\n" if wrong else "")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
