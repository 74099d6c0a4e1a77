#include "settings/check_settings.h"

#include <algorithm>
#include <iterator>

namespace gossamer::run {

Result<void> complete(CheckSettings& settings) {
  settings.crawl.asks_for_leaves = true;
  settings.crawl.keeps_metadata = settings.audits_pages;
  if (settings.sources.empty()) {
    settings.sources = settings.crawl.roots;
    std::ranges::copy(settings.files, std::back_inserter(settings.sources));
  }
  return complete(settings.crawl);
}

}  // namespace gossamer::run
