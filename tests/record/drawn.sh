# seekwatcher's way: btviz -p records, then draws, and passes the exit status on.
. "$(dirname "$0")/common.sh"

"$BTVIZ" -p "dd if=/dev/zero of=/dev/$loop bs=64k count=200 oflag=direct 2>/dev/null; exit 5" -d "/dev/$loop" -t run \
	-o run.png 2>said
same "exit status" $? 5
cat said
check "a picture" [ "$(head -c 4 run.png | tail -c 3)" = PNG ]
same "of the whole recording" "$(count bytes run.*.blktrace.*)" $((200 * 65536))
mkdir there
"$BTVIZ" -D there -p "dd if=/dev/zero of=/dev/$loop bs=64k count=20 oflag=direct 2>/dev/null" -d "$loop" -o two.svg 2>said
same "without -t, into a directory: exit status" $? 0
check "it is called trace, as by seekwatcher" [ -e there/trace.btviz.json -a -s two.svg ]
"$BTVIZ" -p true -o no.png 2>said
same "-p without -d" "$? $(head -n 1 said)" "2 btviz: -p needs the devices to record (-d DEV)"
"$BTVIZ" -p true -d nosuch -t no -o no.png 2>said
same "no recording, no picture" "$? $(ls no* 2>/dev/null)" "1 "
