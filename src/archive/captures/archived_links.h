#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "captures/archived_answers.h"
#include "engine/page/page_reading.h"
#include "html/links/link.h"
#include "record/record.h"
#include "url/url.h"

namespace gossamer::captures {

// A link of a page. BORROWS: until the next one.
struct ArchivedLink {
  std::string_view href;      // resolved
  std::string_view url;       // the same without its fragment
  std::string_view fragment;  // without its "#"; empty if there is none
  html::LinkKind kind;
  std::string_view tag;        // "a"
  std::string_view attribute;  // "href"; empty for a link in the text of an element
  std::string_view rel;        // as written
  std::string_view text;       // of the anchor, if the reading keeps it
};

// Receives links until it returns false.
using UseLink = std::move_only_function<bool(const ArchivedLink&)>;

// Calls `use` for each link of a page that was read, in order and with repetitions.
// REQUIRES: the reading has finished.
void for_each_link(const crawler::PageReading& reading, const url::Url& page, UseLink use);

// Returns whether it is a page, or another document of a type that has links.
bool may_have_links(const crawler::FetchRecord& record);

// Reads the links of the pages of a crawl directory.
class ArchivedLinks {
 public:
  // Opens the archive in that folder.
  explicit ArchivedLinks(std::string folder);

  // Calls `use` for each link of the page. There are none if the page is not archived or has a type
  // without links. An incomplete page gives the links that it has. Fails as ArchivedAnswers::read()
  // does.
  Result<void> for_each(const crawler::FetchRecord& record, UseLink use);

 private:
  ArchivedAnswers answers_;
  crawler::PageReading reading_;
};

}  // namespace gossamer::captures
