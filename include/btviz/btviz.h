/* btviz.h - everything of libbtviz. */
#ifndef BTVIZ_BTVIZ_H
#define BTVIZ_BTVIZ_H

#include <btviz/status.h>
#include <btviz/output.h>
#include <btviz/event.h>
#include <btviz/text.h>
#include <btviz/trace.h>
#include <btviz/io.h>
#include <btviz/catalogue.h>
#include <btviz/summary.h>
#include <btviz/finding.h>
#include <btviz/plot.h>
#include <btviz/show.h>
#include <btviz/movie.h>
#include <btviz/compare.h>
#include <btviz/contrast.h>
#include <btviz/metadata.h>
#include <btviz/samples.h>
#include <btviz/record.h>

#endif
