#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "crawl/page/page_reading.h"
#include "crawl/page/record.h"
#include "store/archived_answers.h"

namespace gossamer::run {

// A link as it stands on a page. BORROWS: until the next one.
struct ArchivedLink {
  std::string_view url;        // resolved, without its fragment
  std::string_view fragment;   // without its "#"; empty if there is none
  std::string_view kind;       // "page", "image", ...
  std::string_view tag;        // "a"
  std::string_view attribute;  // "href"; empty for what stands in the text of an element
  std::string_view rel;        // as it stands there
  std::string_view text;       // of the anchor
};

// Reads the pages of an archive again, for their links.
class ArchivedLinks {
 public:
  // Of the archive in that folder.
  explicit ArchivedLinks(std::string folder);

  // Each link of the page in its order, as often as it stands there, until `use` gives false. None
  // if the page is not archived, or of a kind that has none. Of a page that is not whole, those of
  // what is there. Fails as ArchivedAnswers::read() does.
  Result<void> for_each(const crawler::FetchRecord& record,
                        std::move_only_function<bool(const ArchivedLink&)> use);

 private:
  store::ArchivedAnswers answers_;
  crawler::PageReading reading_;
};

}  // namespace gossamer::run
