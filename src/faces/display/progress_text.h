#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "run/control/crawl_progress.h"
#include "terminal/screen.h"

namespace gossamer::display {

// "does not answer, next attempt in 8 s", "refuses requests, next attempt in 8 s" or "requested a
// pause of 1 min".
std::string why_paused(bool is_silent, bool is_refusing, Duration left);
// Shortens the name of a host, so that several fit into a line; safe for a terminal.
std::string shown_host(std::string_view name);

// One line: "1,520 pages, 310/s, 14.2 MB, 64 in flight, 9,811 waiting on 12 hosts".
std::string to_text(const run::CrawlProgress& progress);

// Returns lines for a terminal, none wider than it; fewer if it is narrow.
std::vector<terminal::ScreenLine> to_screen(const run::CrawlProgress& progress,
                                            const terminal::Screen& screen);

}  // namespace gossamer::display
