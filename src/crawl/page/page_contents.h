#pragma once

#include <optional>

#include "content/extractor.h"
#include "crawl/options.h"
#include "crawl/page/page_reading.h"
#include "crawl/page/record.h"
#include "url/url.h"

namespace gossamer::crawler {

// Takes contents of pages into their records: the fields of Settings::extract.
class PageContents {
 public:
  // REQUIRES: the settings are valid.
  explicit PageContents(const Settings& settings);

  // False: pages need not be copied, and no tree is made.
  bool is_wanted() const noexcept { return extractor_.has_value(); }
  // Makes `reading` copy the next page.
  void prepare(PageReading& reading) const;
  // Reads the copy, if it is a page, and drops it. There is one tree at a time: it is made,
  // searched and freed in one step, whose time the bounds of the extractor limit.
  void read(const url::Url& url, PageReading& reading, FetchRecord& record) const;

 private:
  std::optional<content::Extractor> extractor_;  // empty: nothing is extracted
};

}  // namespace gossamer::crawler
