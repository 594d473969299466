# A device's name never touches the numbers beside it, whatever its length.
i=0
for name in sdb nvme10n1 nvme10n1p nvme100n1p nvme100n1p1 nvme100n1p12 dm-a-rather-long-name-of-a-volume; do
	i=$((i + 1))
	printf '%s\n' "Q W 0+8000000 @1 d259,$i" 'D W 0+8000000' 'C W 0+8000000' | mktrace "run.$name.blktrace.0"
done
btviz report -t run --device-tables > all
sed -n '/^Devices/,$p' all
# By the table: a name is followed by a blank or by the end of its line.
for name in nvme10n1 nvme10n1p nvme100n1p nvme100n1p1 nvme100n1p12 dm-a-rather-long-name-of-a-volume; do
	grep -c "^ *$name[^ p0-9]" all || true
done
awk 'length > 80' all
