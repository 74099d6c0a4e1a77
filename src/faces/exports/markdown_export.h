#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "store/stored_crawl.h"

namespace gossamer::exports {

struct MarkdownSummary {
  std::uint64_t files = 0;
  std::uint64_t empty = 0;   // pages without text, which have no file
  std::uint64_t faults = 0;  // pages that are missing or incomplete
};

// Writes the main text of each archived page of a crawl directory as a Markdown file to a new or
// empty folder. A file begins with front matter: url, title, date, lang, fetched. Calls `on_fault`
// for each page that is missing or incomplete. Fails with Errc::exists if the folder is not empty,
// and with Errc::io_failed if reading or writing fails; the detail is for the user.
Result<MarkdownSummary> export_markdown(const store::StoredCrawl& kept, const std::string& folder,
                                        std::move_only_function<void(std::string_view)> on_fault);

}  // namespace gossamer::exports
