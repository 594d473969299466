# More files than may be open at once: 100 devices on 16 CPUs.
generate --devices 100 --cpus 16 --events 100000 big > /dev/null
ls big | wc -l
ulimit -n 256
btviz -t big -o big.png
ls *.png
