#include "robots/sitemap_text.h"

#include <algorithm>
#include <utility>

namespace gossamer::robots {
namespace {

constexpr std::size_t kLineBytesMax = 64 * 1024;
// After this many lines without any URL, the text is not a sitemap.
constexpr std::size_t kHopelessLines = 1000;

}  // namespace

void SitemapText::put(std::string_view line) {
  line = trim_unicode(line);
  if (line.empty() || line.size() > kLineBytesMax) return;
  SitemapEntry entry;
  if (line.find_first_of(" \t") == std::string_view::npos)
    entry.loc = line;  // a line with spaces is prose
  collector_.put(std::move(entry), /*is_of_index=*/false);
  if (collector_.is_over()) trouble_.emplace(Errc::over_limit, "sitemap: too many entries");
  if (!has_urls() && collector_.rejected() >= kHopelessLines) {
    trouble_.emplace(Errc::malformed, "not a sitemap: no line is a URL");
  }
}

void SitemapText::feed(std::string_view bytes) {
  while (!bytes.empty() && !trouble_) {
    const std::size_t end = bytes.find_first_of("\r\n");
    const std::string_view part = bytes.substr(0, end);
    // A line that is too long is cut one byte beyond the bound, so that it is recognised as too
    // long.
    const std::size_t room = kLineBytesMax + 1 - unfinished_.size();
    if (end == std::string_view::npos) {
      unfinished_.append(part.substr(0, room));
      return;
    }
    if (unfinished_.empty()) {
      put(part);
    } else {
      unfinished_.append(part.substr(0, room));
      put(unfinished_);
      unfinished_.clear();
    }
    bytes.remove_prefix(end + 1);
  }
}

void SitemapText::finish() {
  if (trouble_) return;
  put(std::exchange(unfinished_, {}));
  if (!trouble_ && !has_urls()) {
    trouble_.emplace(Errc::malformed, "not a sitemap: neither XML nor a list of URLs");
  }
}

}  // namespace gossamer::robots
