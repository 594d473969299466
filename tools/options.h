/* options.h - command line options, declared once.
 *
 * A command has one table of struct option_spec. It is what is parsed, where what was given goes,
 * what --help prints, and what the man page's table and the shells' completions are made of. A row
 * binds its option to a member of the command's request by one of the macros below, of the
 * struct that REQUEST is; the member's type is checked. Options that several commands share are
 * macros themselves, so that they are spelt and explained the same way everywhere: those of
 * reading.h belong to `read`, with which a request begins. */
#ifndef BTVIZ_TOOLS_OPTIONS_H
#define BTVIZ_TOOLS_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct option_parser;

/* What an option does with its argument. */
enum option_kind {
	OPTION_FLAG,  /* bool: set */
	OPTION_TEXT,  /* const char *: the argument; the last one counts */
	OPTION_WORDS, /* struct words: one more */
	OPTION_TIME,  /* uint64_t: ns */
	OPTION_COUNT, /* uint64_t from min to max */
	OPTION_SMALL, /* unsigned from min to max */
	OPTION_SIZE,  /* struct size_value, each from min to max */
	OPTION_WORD,  /* an int or an enumeration: the index in words */
	OPTION_CALL,  /* take() */
	OPTION_GONE,  /* refused: help says what is to be written now. Not listed */
};

struct option_spec {
	const char *name; /* long name, without the dashes */
	int id;           /* its letter, or a number above 255 if it has none */
	const char *arg;  /* name of its argument, NULL if it takes none */
	const char *help; /* one line; a newline in it begins a further one */
	enum option_kind kind;
	size_t field; /* offset in the request */
	uint64_t min, max;
	const char *const *words; /* ends with NULL */
	/* Words that a library names: the i-th, NULL after the last. For take(): only to be listed.
	 */
	const char *(*word)(int i);
	/* false after saying what is wrong */
	bool (*take)(const struct option_parser *p, void *request);
};

enum { WORDS_MAX = 256 };

/* What a repeatable option was given. */
struct words {
	const char *list[WORDS_MAX];
	size_t count;
};

struct size_value {
	double w, h;
};

/* NOLINTBEGIN(bugprone-macro-parentheses): members and types are no expressions. */
/* clang-format off */
#define OPTION_FIELD(type, member) \
	.field = _Generic(&((REQUEST *)0)->member, type *: offsetof(REQUEST, member))
#define TO_FLAG(member)  .kind = OPTION_FLAG, OPTION_FIELD(bool, member)
#define TO_TEXT(member)  .kind = OPTION_TEXT, OPTION_FIELD(const char *, member)
#define TO_WORDS(member) .kind = OPTION_WORDS, OPTION_FIELD(struct words, member)
#define TO_TIME(member)  .kind = OPTION_TIME, OPTION_FIELD(uint64_t, member)
#define TO_COUNT(member, least, most) \
	.kind = OPTION_COUNT, OPTION_FIELD(uint64_t, member), .min = (least), .max = (most)
#define TO_SMALL(member, least, most) \
	.kind = OPTION_SMALL, OPTION_FIELD(unsigned, member), .min = (least), .max = (most)
#define TO_SIZE(member, least, most) \
	.kind = OPTION_SIZE, OPTION_FIELD(struct size_value, member), .min = (least), .max = (most)
#define TO_WORD(member, list) \
	.kind = OPTION_WORD, .field = offsetof(REQUEST, member), .words = (list)
#define TO_NAME(member, names) \
	.kind = OPTION_WORD, .field = offsetof(REQUEST, member), .word = (names)
/* What an option was called, or what another program calls it, and what it is called here. */
#define GONE(name, id, now) { (name), (id), NULL, (now), .kind = OPTION_GONE }
#define BY(function) .kind = OPTION_CALL, .take = (function)
/* NOLINTEND(bugprone-macro-parentheses) */
/* clang-format on */

enum { OPT_HELP = 'h', OPT_END = -1, OPT_WRONG = -2 };

/* Ids of shared options that have no letter; a command's own begin at OPT_OWN. */
enum {
	OPT_GAP_THRESHOLD = 300,
	OPT_SEEK_DISTANCE,
	OPT_STRICT,
	OPT_NO_PROGRESS,
	OPT_FORMAT,
	OPT_DPI,
	OPT_GONE, /* and the next few */
	OPT_OWN = 400,
};

/* clang-format off */
#define OPTION_HELP_ROW	{ "help", OPT_HELP, NULL, "print this help", .kind = OPTION_CALL }
#define OPTION_TABLE_END { .name = NULL }
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

/* Puts all options into the request: OPT_END; OPT_HELP as soon as help is asked for; OPT_WRONG
 * after saying what is wrong. */
int options_take(struct option_parser *p, void *request);

/* Prints the options on standard output, at most 80 columns wide. */
void options_print(const struct option_spec *specs);

/* The i-th word that the option takes, NULL after the last and where any text will do. */
const char *option_word(const struct option_spec *s, int i);

/* The long name of the first option that takes this word, NULL if none does. */
const char *option_taking(const struct option_spec *specs, const char *word);

/* How the option last returned is written: "-t (--trace)". Returns buffer. */
const char *option_spelling(const struct option_parser *p, char *buffer, size_t size);

/* ---- values: each parses all of the argument, or says what is wrong with it and returns false. -
 */

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

/* One of the words that the option takes; *ret_i is its index. */
bool value_word(const struct option_parser *p, int *ret_i);

/* Appends the argument; says so and returns false where there are too many. */
bool words_add(const struct option_parser *p, struct words *w);

#endif
