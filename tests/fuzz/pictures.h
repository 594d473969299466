/* pictures.h - what must hold for the bytes of any picture: it is whole, and what it says cannot be
 * taken for markup. */
#ifndef FUZZ_PICTURES_H
#define FUZZ_PICTURES_H

#include <stddef.h>

#include <btviz/plot.h>

/* Aborts with a message that names what was not kept. */
void pictures_check(enum btviz_plot_kind kind, const unsigned char *bytes, size_t size);

#endif
