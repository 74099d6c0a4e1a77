#pragma once

#include <optional>

#include "async/mutex.h"
#include "async/task.h"
#include "content/extractor.h"
#include "content/main_content.h"
#include "content/page_links.h"
#include "dom/document.h"
#include "engine/page/page_reading.h"
#include "engine/setup/options.h"
#include "record/record.h"
#include "url/url.h"

namespace gossamer::crawler {

// Takes contents of pages into their records: the fields of Settings::extract, main texts and
// metadata.
class PageContents {
 public:
  // REQUIRES: the settings are valid.
  explicit PageContents(const Settings& settings);

  // False: pages need not be copied, and no tree is made.
  bool is_wanted() const noexcept { return extractor_ || keeps_metadata_ || reads_main(); }
  // Makes `reading` copy the next page.
  void prepare(PageReading& reading) const;
  // Reads the copy, if it is a page, and drops it. Works in steps, whose time the bounds of the
  // content layer limit. There is one tree at a time, so other pages wait. BORROWS: all.
  async::Task<void> read(const url::Url& url, PageReading& reading, FetchRecord& record);

 private:
  bool reads_main() const noexcept { return keeps_text_ || keeps_markdown_ || finds_similar_; }
  void write_main(const content::MainContent& main, const dom::Document& document,
                  const content::PagePlace& place, FetchRecord& record) const;

  std::optional<content::Extractor> extractor_;  // empty: nothing is extracted
  bool keeps_text_ = false;
  bool keeps_markdown_ = false;
  bool keeps_metadata_ = false;
  bool finds_similar_ = false;
  std::size_t page_bytes_max_;
  std::size_t nodes_max_;
  async::Mutex turn_;  // of the page whose tree exists
};

}  // namespace gossamer::crawler
