/* options.h - command line options, declared once.
 *
 * A command has one table of struct option_spec. It is what is parsed, what --help prints, and what
 * the checks compare with the man page and the shell completion. Options that several commands
 * share are the macros below, so that they are spelt and explained the same way everywhere. */
#ifndef BTVIZ_TOOLS_OPTIONS_H
#define BTVIZ_TOOLS_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct option_spec {
	const char *name; /* long name, without the dashes */
	int id;           /* its letter, or a number above 255 if it has none */
	const char *arg;  /* name of its argument, NULL if it takes none */
	const char *help; /* one line; a newline in it begins a further one */
};

enum { OPT_HELP = 'h', OPT_END = -1, OPT_WRONG = -2 };

/* Ids of shared options that have no letter; a command's own begin at OPT_OWN. */
enum {
	OPT_GAP_THRESHOLD = 300,
	OPT_SEEK_DISTANCE,
	OPT_STRICT,
	OPT_NO_PROGRESS,
	OPT_FORMAT,
	OPT_OWN = 400,
};

/* clang-format off */
#define OPTION_TRACE	{ "trace", 't', "NAME", "a run: trace's base name, file, directory, archive;\n'-' is standard input; A,B,C joins several" }
#define OPTION_DIR	{ "trace-dir", 'D', "DIR", "look for relative trace names in DIR" }
#define OPTION_DEVICE	{ "device", 'd', "DEV", "only this device (md0, /dev/md0 or 9,0); repeatable" }
#define OPTION_XZOOM	{ "xzoom", 'x', "A:B", "only from second A to second B of the run" }
#define OPTION_JOBS	{ "jobs", 'j', "N", "use N processor cores (all)" }
#define OPTION_GAP	{ "gap-threshold", OPT_GAP_THRESHOLD, "TIME", "shortest standstill that counts (adapts to the run)" }
#define OPTION_SEEK	{ "seek-distance", OPT_SEEK_DISTANCE, "SECTORS", "farther from the last I/O's end is a seek (128)" }
#define OPTION_STRICT	{ "strict", OPT_STRICT, NULL, "damage in a trace is an error" }
#define OPTION_NO_PROGRESS { "no-progress", OPT_NO_PROGRESS, NULL, "no progress on the terminal" }
#define OPTION_HELP	{ "help", OPT_HELP, NULL, "print this help" }
#define OPTION_TABLE_END { NULL, 0, NULL, NULL }
/* clang-format on */

enum { OPTION_MAX = 64 };

struct option_parser {
	const char *command; /* for messages; NULL: the plain drawing command */
	const struct option_spec *specs;
	int argc;
	char **argv;
	void *long_options; /* struct option[], for getopt_long() */
	char letters[3 * OPTION_MAX + 4];
	int id;            /* of the option last returned */
	const char *value; /* its argument, or NULL */
};

/* argv[0] is the command's name. The table ends with OPTION_TABLE_END. */
void options_init(struct option_parser *p, const char *command, const struct option_spec *specs,
	int argc, char **argv);
void options_done(struct option_parser *p);

/* The first operand ends the options: what follows belongs to the program that it names. To be
 * called before the first options_next(). */
void options_stop_at_operand(struct option_parser *p);

/* The id of the next option, OPT_END after the last (p->argv[options_rest(p)] on are then the
 * operands), or OPT_WRONG after saying what is wrong: return EXIT_USAGE then. */
int options_next(struct option_parser *p);
int options_rest(const struct option_parser *p);

/* Prints the options on standard output, at most 80 columns wide. */
void options_print(const struct option_spec *specs);

/* ---- values: each parses all of text, or says what is wrong with it and returns false. ------- */

/* "0.1", "2s", "100ms", "50us", "10ns", "3m", "1h": nanoseconds, not 0. */
bool value_duration(const struct option_parser *p, uint64_t *ret_ns);

/* "A:B" in seconds or as durations; either may be left out. *ret_b_ns is 0 where B is left out or
 * 0. */
bool value_time_range(const struct option_parser *p, uint64_t *ret_a_ns, uint64_t *ret_b_ns);

/* "A:B" in MiB, or with k, M, G, T (powers of 1024): bytes; as above. */
bool value_byte_range(const struct option_parser *p, uint64_t *ret_a, uint64_t *ret_b);

/* "1200x800": both of at least min and at most max. */
bool value_size(
	const struct option_parser *p, double min, double max, double *ret_w, double *ret_h);

/* A whole number from min to max. */
bool value_count(const struct option_parser *p, uint64_t min, uint64_t max, uint64_t *ret_n);

/* One of the words; *ret_i is its index. words ends with NULL. */
bool value_word(const struct option_parser *p, const char *const *words, int *ret_i);

#endif
