/* kernel_records.h - one record of each kind as the kernel (7.3) wrote it, byte for byte, and what
 * it says: read off with a hex viewer and the kernel's header file, not with this library. */
#ifndef TEST_KERNEL_RECORDS_H
#define TEST_KERNEL_RECORDS_H

#include <stdint.h>

struct kernel_record {
	const char *name;
	const char *hex;
	unsigned version;
	uint32_t sequence;
	uint64_t time_ns, sector;
	uint32_t bytes, pid;
	uint64_t action;
	uint32_t major, minor, cpu;
	int error;
	unsigned pdu_len;
	uint64_t cgroup;  /* 0: none */
	uint64_t number;  /* X, U, UT: the payload; A: the sector; timestamp: seconds */
	uint32_t number2; /* timestamp: nanoseconds */
	uint32_t from_major, from_minor, to_major, to_minor; /* A */
	const char *text;                                    /* notes of names and messages */
};

static const struct kernel_record kernel_records[] = {
	{
		.name = "Q, plain direct write",
		.hex = "087461650d000000af7a5e8b03000000003000000000000000001000c0000000"
		       "01001a0000000000000090000100000000000000000000000000000000000000",
		.version = 8,
		.sequence = 13,
		.time_ns = 15223126703,
		.sector = 12288,
		.bytes = 1048576,
		.pid = 192,
		.action = 0x1a0001,
		.major = 9,
		.cpu = 1,
	},
	{
		.name = "The same event of the v7 session, for comparison",
		.hex = "0774616501000000b3d505070400000000000000000000000000100001001a00"
		       "e2000000000090000000000000000000",
		.version = 7,
		.sequence = 1,
		.time_ns = 17297692083,
		.bytes = 1048576,
		.pid = 226,
		.action = 0x1a0001,
		.major = 9,
	},
	{
		.name = "TIMESTAMP note",
		.hex = "087461650000000053c18b630300000000000000000000000000000000000000"
		       "0100000400000000000090000200000000000800000000000000000000000000"
		       "38970d6b4bed8932",
		.version = 8,
		.time_ns = 14555005267,
		.action = 0x4000001,
		.major = 9,
		.cpu = 2,
		.pdu_len = 8,
		.number = 1796052792,
		.number2 = 847899979,
	},
	{
		.name = "PROCESS note",
		.hex = "087461650000000009d19d8a0300000000000000000000000000000083000000"
		       "0000000400000000000090000100000000001000000000000000000000000000"
		       "6b776f726b65722f313a314800000000",
		.version = 8,
		.time_ns = 15210500361,
		.pid = 131,
		.action = 0x4000000,
		.major = 9,
		.cpu = 1,
		.pdu_len = 16,
		.text = "kworker/1:1H",
	},
	{
		.name = "MESSAGE note",
		.hex = "0874616500000000aa4a904c03000000000000000000000000000000a0000000"
		       "0201000400000000000090000300000000001400000000000000000000000000"
		       "010000000000000076382d63672068656c6c6f0a",
		.version = 8,
		.time_ns = 14169426602,
		.pid = 160,
		.action = 0x4000102,
		.major = 9,
		.cpu = 3,
		.pdu_len = 20,
		.cgroup = 1,
		.text = "v8-cg hello\n",
	},
	{
		.name = "A, remapped from md0",
		.hex = "0874616501000000298e928a03000000801a00000000000000000100c0000000"
		       "0f001a0000000000100080000100000000001000000000000000000000000000"
		       "00900000008000100000000000002a00",
		.version = 8,
		.sequence = 1,
		.time_ns = 15209762345,
		.sector = 6784,
		.bytes = 65536,
		.pid = 192,
		.action = 0x1a000f,
		.major = 8,
		.minor = 16,
		.cpu = 1,
		.pdu_len = 16,
		.number = 10752,
		.from_major = 9,
		.to_major = 8,
		.to_minor = 16,
	},
	{
		.name = "A in the trace of a partition",
		.hex = "08746165010000007b7f9ba50700000000080100000000000000010083010000"
		       "0f001a0000000000120080000100000000001000000000000000000000000000"
		       "00800012008000100000000000000000",
		.version = 8,
		.sequence = 1,
		.time_ns = 32843202427,
		.sector = 67584,
		.bytes = 65536,
		.pid = 387,
		.action = 0x1a000f,
		.major = 8,
		.minor = 18,
		.cpu = 1,
		.pdu_len = 16,
		.from_major = 8,
		.from_minor = 18,
		.to_major = 8,
		.to_minor = 16,
	},
	{
		.name = "A with a cgroup id: 24 bytes of payload",
		.hex = "08746165010000009646d4520300000000e007000000000000000100ca000000"
		       "0f011a8000000000100080000000000000001800000000000000000000000000"
		       "3200000000000000009000000080001000000000000fa000",
		.version = 8,
		.sequence = 1,
		.time_ns = 14274545302,
		.sector = 516096,
		.bytes = 65536,
		.pid = 202,
		.action = 0x801a010f,
		.major = 8,
		.minor = 16,
		.pdu_len = 24,
		.cgroup = 50,
		.number = 1024000,
		.from_major = 9,
		.to_major = 8,
		.to_minor = 16,
	},
	{
		.name = "X, split",
		.hex = "08746165010000000aac8e8a03000000802900000000000000000100c0000000"
		       "0d000a0000000000000090000100000000000800000000000000000000000000"
		       "0000000000002a00",
		.version = 8,
		.sequence = 1,
		.time_ns = 15209507850,
		.sector = 10624,
		.bytes = 65536,
		.pid = 192,
		.action = 0xa000d,
		.major = 9,
		.cpu = 1,
		.pdu_len = 8,
		.number = 10752,
	},
	{
		.name = "U, unplug",
		.hex = "087461651a020000023fba880400000000000000000000000000000003010000"
		       "0a00110000000000100080000000000000000800000000000000000000000000"
		       "0000000000000001",
		.version = 8,
		.sequence = 538,
		.time_ns = 19473776386,
		.pid = 259,
		.action = 0x11000a,
		.major = 8,
		.minor = 16,
		.pdu_len = 8,
		.number = 1,
	},
	{
		.name = "UT, timer unplug",
		.hex = "087461650201000059129a42070000000000000000000000000000000b020000"
		       "0b001100000000000000b00f0000000000000800000000000000000000000000"
		       "0000000000000003",
		.version = 8,
		.sequence = 258,
		.time_ns = 31182164569,
		.pid = 523,
		.action = 0x11000b,
		.major = 251,
		.pdu_len = 8,
		.number = 3,
	},
	{
		.name = "D, FUA write",
		.hex = "0874616504000000ba38eb870900000080841e0000000000001000001b000000"
		       "07004a8100000000100080000100000000000000000000000000000000000000",
		.version = 8,
		.sequence = 4,
		.time_ns = 40935045306,
		.sector = 2000000,
		.bytes = 4096,
		.pid = 27,
		.action = 0x814a0007,
		.major = 8,
		.minor = 16,
		.cpu = 1,
	},
	{
		.name = "D, the empty flush",
		.hex = "0874616507000000982b1489090000000000000000000000000000001b000000"
		       "0700450100000000100080000100000000000000000000000000000000000000",
		.version = 8,
		.sequence = 7,
		.time_ns = 40954506136,
		.pid = 27,
		.action = 0x1450007,
		.major = 8,
		.minor = 16,
		.cpu = 1,
	},
	{
		.name = "C, failed",
		.hex = "0874616518000000d912da7406000000e8030000000000000010000038010000"
		       "08008901000000000100b00f00000000fbff0000000000000000000000000000",
		.version = 8,
		.sequence = 24,
		.time_ns = 27730252505,
		.sector = 1000,
		.bytes = 4096,
		.pid = 312,
		.action = 0x1890008,
		.major = 251,
		.minor = 1,
		.error = -5,
	},
	{
		.name = "Q, discard of nearly 4 GiB",
		.hex = "0874616598010000914cf4be03000000000000000000000000feffff19010000"
		       "01001220000000000000b00f0000000000000000000000000000000000000000",
		.version = 8,
		.sequence = 408,
		.time_ns = 16088583313,
		.bytes = 4294966784U,
		.pid = 281,
		.action = 0x20120001,
		.major = 251,
	},
	{
		.name = "D, write-zeroes",
		.hex = "0874616516000000f55ed7730300000000400000000000000000100085000000"
		       "07004a0140000000100080000000000000000000000000000000000000000000",
		.version = 8,
		.sequence = 22,
		.time_ns = 14828396277,
		.sector = 16384,
		.bytes = 1048576,
		.pid = 133,
		.action = 0x40014a0007,
		.major = 8,
		.minor = 16,
	},
	{
		.name = "D, zone open",
		.hex = "08746165030000005ec3ff2103000000000002000000000000000000e4000000"
		       "07004a01100000000000b00f0000000000000000000000000000000000000000",
		.version = 8,
		.sequence = 3,
		.time_ns = 13455311710,
		.sector = 131072,
		.pid = 228,
		.action = 0x10014a0007,
		.major = 251,
	},
	{
		.name = "D, zone close",
		.hex = "087461650b000000f9ae4d2803000000000002000000000000000000ea000000"
		       "07004a01200000000000b00f0000000000000000000000000000000000000000",
		.version = 8,
		.sequence = 11,
		.time_ns = 13561081593,
		.sector = 131072,
		.pid = 234,
		.action = 0x20014a0007,
		.major = 251,
	},
	{
		.name = "D, zone finish",
		.hex = "0874616503000000997ee33d03000000000002000000000000000000f6000000"
		       "07004a01080000000000b00f0100000000000000000000000000000000000000",
		.version = 8,
		.sequence = 3,
		.time_ns = 13923221145,
		.sector = 131072,
		.pid = 246,
		.action = 0x8014a0007,
		.major = 251,
		.cpu = 1,
	},
	{
		.name = "D, zone reset",
		.hex = "08746165030000005c884b4703000000000002000000000000000000fc000000"
		       "07004a01020000000000b00f0300000000000000000000000000000000000000",
		.version = 8,
		.sequence = 3,
		.time_ns = 14081034332,
		.sector = 131072,
		.pid = 252,
		.action = 0x2014a0007,
		.major = 251,
		.cpu = 3,
	},
	{
		.name = "D, zone reset all",
		.hex = "087461651300000012262b500300000000000000000000000000000002010000"
		       "07004a01040000000000b00f0000000000000000000000000000000000000000",
		.version = 8,
		.sequence = 19,
		.time_ns = 14229906962,
		.pid = 258,
		.action = 0x4014a0007,
		.major = 251,
	},
	{
		.name = "D, zone append (native)",
		.hex = "0874616506010000c8bbae4207000000000003000000000000f0010085000000"
		       "07004a01010000000000b00f0000000000000000000000000000000000000000",
		.version = 8,
		.sequence = 262,
		.time_ns = 31183518664,
		.sector = 196608,
		.bytes = 126976,
		.pid = 133,
		.action = 0x1014a0007,
		.major = 251,
	},
	{
		.name = "C, zone append: the first of two",
		.hex = "087461650a010000d9b1d24207000000f80003000000000000f0010085000000"
		       "08008a01010000000000b00f0000000000000000000000000000000000000000",
		.version = 8,
		.sequence = 266,
		.time_ns = 31185875417,
		.sector = 196856,
		.bytes = 126976,
		.pid = 133,
		.action = 0x1018a0008,
		.major = 251,
	},
	{
		.name = "C, zone append: the second of two",
		.hex = "087461650b0100005bc4d24207000000f80003000000000000f0010085000000"
		       "08000a01010000000000b00f0000000000000000000000000000000000000000",
		.version = 8,
		.sequence = 267,
		.time_ns = 31185880155,
		.sector = 196856,
		.bytes = 126976,
		.pid = 133,
		.action = 0x1010a0008,
		.major = 251,
	},
	{
		.name = "ZP, write put into a zone write plug",
		.hex = "08746165020000003628eb6105000000801502000000000000000100ae010000"
		       "12001100000000000200b00f0100000000000000000000000000000000000000",
		.version = 8,
		.sequence = 2,
		.time_ns = 23117637686,
		.sector = 136576,
		.bytes = 65536,
		.pid = 430,
		.action = 0x110012,
		.major = 251,
		.minor = 2,
		.cpu = 1,
	},
	{
		.name = "ZU, write taken out of it",
		.hex = "087461650b0000002946265d0500000000010200000000000000010086000000"
		       "13001100000000000200b00f0200000000000000000000000000000000000000",
		.version = 8,
		.sequence = 11,
		.time_ns = 23037625897,
		.sector = 131328,
		.bytes = 65536,
		.pid = 134,
		.action = 0x110013,
		.major = 251,
		.minor = 2,
		.cpu = 2,
	},
	{
		.name = "Any record with something in the padding",
		.hex = "08746165aa000000abb71a5a03000000e0cc08000000000000100000ba000000"
		       "04001a00000000000000b00f0000000000000000000000000000b00f00000000",
		.version = 8,
		.sequence = 170,
		.time_ns = 14396602283,
		.sector = 576736,
		.bytes = 4096,
		.pid = 186,
		.action = 0x1a0004,
		.major = 251,
	},
};

#endif
