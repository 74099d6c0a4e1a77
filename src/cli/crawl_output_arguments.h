#pragma once

#include <optional>

#include "base/result.h"
#include "cli/arguments.h"
#include "cli/crawl_arguments.h"

namespace gossamer::cli {

// What was said about output, before it means anything together.
struct OutputWords {
  bool no_progress = false;
  bool lists_fields = false;
  bool has_format = false;  // --format was given
};

// The options about what a crawl says. BORROWS: all, until they are parsed.
void declare_output(Arguments& declared, OutputWords& words, CrawlArguments& arguments);

// --list-fields: prints all there are. The exit code then, since there is nothing more to do.
std::optional<int> list_fields(const OutputWords& words);

// Fails with Errc::invalid_argument.
Result<void> settle_output(const OutputWords& words, CrawlArguments& arguments);

}  // namespace gossamer::cli
