#include "captures/missing_parts.h"

#include <deque>
#include <set>
#include <utility>

#include "captures/archived_links.h"
#include "engine/page/page_reading.h"
#include "html/token/names.h"
#include "url/url.h"
#include "wire/content_type.h"

namespace gossamer::captures {
namespace {

constexpr std::size_t kPartsMax = 2000;
constexpr std::size_t kSheetsMax = 50;

bool is_part(html::LinkKind kind) {
  using enum html::LinkKind;
  return kind == image || kind == script || kind == style || kind == media || kind == frame ||
         kind == asset;
}

// Calls `use(url, kind)` for each part that a document loads.
template <class Use>
void for_each_part(const ArchivedAnswer& answer, const std::string& url, Use use) {
  const auto page = url::Url::parse(url);
  if (!page) return;
  const auto type = wire::MimeType::parse(answer.type());
  crawler::PageReading reading(kPartsMax);
  reading.begin(crawler::body_kind(type, {.css = true}),
                type ? type->parameter("charset").value_or("") : std::string_view(), "");
  reading.feed(as_bytes(answer.body.text()));
  reading.finish();
  for_each_link(reading, *page, [&use](const ArchivedLink& link) {
    const bool is_fetched = link.url.starts_with("http://") || link.url.starts_with("https://");
    if (is_part(link.kind) && is_fetched) use(std::string(link.url), link.kind);
    return true;
  });
}

}  // namespace

Result<MissingParts> find_missing_parts(const Collection& collection, const std::string& url,
                                        std::optional<WallTime> at, PartsFrom parts_from,
                                        const WorkLimit& limit) {
  const auto page = collection.nearest({.url = url, .at = at});
  if (!page) return fail(Errc::not_found, "this address is not archived");
  std::optional<std::uint32_t> crawl;
  if (parts_from == PartsFrom::own_crawl) crawl = collection.crawl_of(*page);
  MissingParts found = {.url = page->url, .at = page->at, .parts = 0, .missing = {}};
  std::set<std::string, std::less<>> seen;
  std::deque<Capture> documents = {*page};
  std::size_t sheets = 0;
  while (!documents.empty() && !limit.is_over()) {
    const Capture document = std::move(documents.front());
    documents.pop_front();
    const auto answer = collection.shown_of(document, limit);
    if (!answer) continue;
    for_each_part(*answer, document.url, [&](std::string part, html::LinkKind kind) {
      if (seen.size() >= kPartsMax || !seen.insert(part).second) return;
      ++found.parts;
      const auto capture = collection.nearest({.url = part, .at = document.at, .crawl = crawl});
      const bool is_there = capture && (capture->status == 0 || capture->status < 400);
      if (!is_there) {
        found.missing.push_back({std::move(part), html::name(kind), document.url});
      } else if (kind == html::LinkKind::style && sheets++ < kSheetsMax) {
        documents.push_back(*capture);
      }
    });
  }
  return found;
}

}  // namespace gossamer::captures
