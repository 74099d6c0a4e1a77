#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "captures/archived_answers.h"
#include "engine/page/page_reading.h"
#include "record/record.h"

namespace gossamer::run {

// A link of a page. BORROWS: until the next one.
struct ArchivedLink {
  std::string_view url;        // resolved, without its fragment
  std::string_view fragment;   // without its "#"; empty if there is none
  std::string_view kind;       // "page", "image", ...
  std::string_view tag;        // "a"
  std::string_view attribute;  // "href"; empty for a link in the text of an element
  std::string_view rel;        // as written
  std::string_view text;       // of the anchor
};

// Reads the links of archived pages.
class ArchivedLinks {
 public:
  // Opens the archive in that folder.
  explicit ArchivedLinks(std::string folder);

  // Calls `use` for each link of the page, in order and with repetitions, until it returns false.
  // There are none if the page is not archived or has a type without links. An incomplete page
  // gives the links that it has. Fails as ArchivedAnswers::read() does.
  Result<void> for_each(const crawler::FetchRecord& record,
                        std::move_only_function<bool(const ArchivedLink&)> use);

 private:
  store::ArchivedAnswers answers_;
  crawler::PageReading reading_;
};

}  // namespace gossamer::run
