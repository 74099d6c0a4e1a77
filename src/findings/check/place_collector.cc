#include "check/place_collector.h"

#include <algorithm>

#include "check/link_text.h"

namespace gossamer::check {

void PlaceCollector::look_within(std::size_t begin, std::size_t end) noexcept {
  begin_ = begin;
  search_from_ = std::max(begin, std::min(search_from_, end));
  end_ = end;
}

// Returns the position of the URL if it is written literally, else that of its tag.
std::size_t PlaceCollector::find(std::string_view url) noexcept {
  const std::size_t bytes = std::min(end_ - search_from_, kSearchedBytesMax);
  const std::size_t found =
      url.empty() ? std::string_view::npos : text_.substr(search_from_, bytes).find(url);
  if (found != std::string_view::npos) {
    last_ = search_from_ + found;
    search_from_ = last_ + url.size();
  } else {
    last_ = std::max(last_, begin_);  // never back, which would count all lines again
  }
  return last_;
}

void PlaceCollector::link(const html::Link& link) {
  if (!is_checked(link)) return;
  if (into_.links.size() >= kLinksMax) {
    ++into_.links_left_out;
    return;
  }
  into_.links.push_back({.at = positions_.at(find(link.url)),
                         .kind = link.kind,
                         .url = std::string(link.url),
                         .text = {}});
  if (link.tag == html::TagId::a) anchor_ = into_.links.size();
}

void PlaceCollector::anchor_text(std::string_view text) {
  if (anchor_ == 0) return;
  into_.links[anchor_ - 1].text = link_text(text);
  anchor_ = 0;
}

}  // namespace gossamer::check
