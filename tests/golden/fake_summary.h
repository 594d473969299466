/* fake_summary.h - a summary that is made up from a few numbers, linked instead of the real one
 * where a test is about drawing: what is drawn is then known, and no change of measure/ moves a
 * golden. */
#ifndef TESTS_FAKE_SUMMARY_H
#define TESTS_FAKE_SUMMARY_H

#include <btviz/summary.h>

enum { FAKE_GAP_MAX = 20, FAKE_MEMBER_MAX = 16 };

struct fake {
	double span_s;
	size_t members; /* of md0; 0: a single disk, sdb */
	const char *command;
	double read_rate, write_rate; /* bytes a second outside of gaps */
	double seek_rate;             /* a second; also makes the map a cloud instead of a slope */
	double shares[FAKE_MEMBER_MAX]; /* of the members; all 0: equal */
	size_t gaps;
	struct {
		double start, end;
		enum btviz_gap_kind kind;
	} gap[FAKE_GAP_MAX];
	uint64_t first_sector, last_sector; /* 0, 0: what the bytes need */
	uint64_t lost, suspected;
	size_t processes;
	double latency_s; /* 0: none known */
	size_t messages;  /* spread over the run */
};

struct btviz_summary *fake_summary_new(const struct fake *f);

#endif
