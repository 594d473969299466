/* base/limits.h - every bound of the library in one place. A field of a trace never sizes an
 * allocation; these do. Each is tested at its edge (tests/hostile/test_limits.c). */
#ifndef BTVI_BASE_LIMITS_H
#define BTVI_BASE_LIMITS_H

#define BTVI_TIME_MAX_NS (1ULL << 62) /* 146 years of uptime; above it is damage */
#define BTVI_SECTOR_MAX  (1ULL << 55) /* 2^64 bytes */

/* What may be unpacked from compressed files and archives of a run: always the first, beyond it at
 * most so many times the packed size (block traces shrink to a tenth), never more than the last. */
#define BTVI_UNPACK_FREE_BYTES (1ULL << 28)
#define BTVI_UNPACK_RATIO      200
#define BTVI_UNPACK_MAX_BYTES  (1ULL << 40)

/* Without any record in so many bytes a stream is no trace. */
#define BTVI_SEARCH_MAX_BYTES (64ULL << 20)

enum {
	BTVI_CPU_MAX = 8192,     /* the kernel's NR_CPUS is not larger anywhere */
	BTVI_DEVICE_MAX = 1024,  /* devices of one run; further ones are counted, not kept */
	BTVI_STREAM_MAX = 65536, /* streams of one run */
	BTVI_PROCESS_MAX = 1024, /* processes of one device; the rest is "others" */
	BTVI_DEVICES_ALL = 2048, /* devices of all parts of a run that are read separately */

	/* For the maps, series, histograms and tables of all devices. At most this, or so many
	 * devices of the size that is asked for, are kept at their finest; the more there are
	 * above that, the coarser are all (device_size.c). */
	BTVI_DEVICES_BYTES = 300 << 20,
	BTVI_DEVICES_FINE = 16,

	/* Processes and cgroups that have latencies of their own, of all devices. */
	BTVI_ACTOR_LATENCIES = 4096,

	/* I/Os open at once of all devices of a run; further ones are given up. So many each
	 * device has for itself; so many each part of a run has that is read separately. */
	BTVI_INFLIGHT_MAX = 1 << 18,
	BTVI_INFLIGHT_MIN = 64,
	BTVI_INFLIGHT_PART = 1 << 16,

	BTVI_WINDOW_EVENTS =
		1 << 17, /* held back to put an unordered stream in order, unless asked */
	BTVI_WINDOW_EVENTS_MAX = 1 << 22,
	BTVI_WINDOW_RUNS = 4096,      /* ordered runs told apart in it */
	BTVI_WINDOW_BYTES = 1 << 25,  /* of long payloads held back with them */
	BTVI_GAP_KEPT = 256,          /* longest gaps kept, a device and kind; the rest is summed */
	BTVI_MESSAGE_KEPT = 512,      /* message notes kept for drawing; the rest is counted */
	BTVI_MESSAGE_BYTES = 128,     /* of one message's text */
	BTVI_SAVED_BYTES = 256 << 20, /* of a saved summary, uncompressed */
	BTVI_SAVED_VALUES = 2 << 20,  /* JSON values in it */
	BTVI_MEMBER_MAX = 256,        /* members of one array */
};

#endif
