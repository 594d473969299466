# No signal is lost, whenever in a recording's beginning it comes.
. "$(dirname "$0")/common.sh"

check "signals in steps through the start" python3 "$here/signals.py" "$(realpath "$BTVIZ")" "$loop" "$enable"
same "put back" "$(state)" "$before"
