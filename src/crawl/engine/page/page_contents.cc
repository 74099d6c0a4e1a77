#include "engine/page/page_contents.h"

#include <algorithm>
#include <cstddef>
#include <memory>
#include <string>
#include <utility>

#include "async/sleep.h"
#include "base/check.h"
#include "content/content_text.h"
#include "content/markdown.h"
#include "content/metadata.h"
#include "dom/parse.h"
#include "html/token/collapse.h"

namespace gossamer::crawler {
namespace {

// Some pages take a millisecond for so much.
constexpr std::size_t kParseStepBytes = 64 * 1024;
// What a tree and all that is made of it take at most, measured: for each byte of its page, and for
// each node.
constexpr std::size_t kBytesPerPageByte = 10;
constexpr std::size_t kBytesPerNode = 160;

}  // namespace

PageContents::PageContents(const Settings& settings)
    : keeps_text_(settings.keeps_text),
      keeps_markdown_(settings.keeps_markdown),
      keeps_metadata_(settings.keeps_metadata),
      finds_similar_(settings.finds_similar),
      page_bytes_max_(std::min(content::kExtractPageBytesMax,
                               body_shares(settings).contents / kBytesPerPageByte)),
      nodes_max_(
          std::min(content::kExtractNodesMax, body_shares(settings).contents / kBytesPerNode)) {
  if (settings.extract.empty()) return;
  auto extractor = content::Extractor::compile(settings.extract, settings.items);
  CHECK(extractor.has_value(), "the rules for fields were not validated");
  extractor_.emplace(std::move(*extractor));
}

void PageContents::prepare(PageReading& reading) const {
  if (is_wanted()) reading.keep_page(page_bytes_max_);
}

async::Task<void> PageContents::read(const url::Url& url, PageReading& reading,
                                     FetchRecord& record) {
  std::string page = reading.take_page();
  if (reading.kind() != BodyKind::html) co_return;
  // The copy may be longer for a browser.
  const bool is_cut = reading.is_page_cut() || page.size() > page_bytes_max_;
  html::cut_utf8(page, page_bytes_max_);
  const auto turn = co_await turn_.lock();
  if (!turn || !(co_await async::yield_now())) co_return;
  dom::PageParser parser(page, {.nodes_max = nodes_max_});
  while (!parser.parse_some(kParseStepBytes)) {
    if (!(co_await async::yield_now())) co_return;
  }
  const dom::Document document = parser.take();
  const content::PagePlace place = {.url = &url,
                                    .encoding = reading.encoding().value_or(html::Encoding::utf_8)};
  record.is_extract_truncated = document.is_truncated() || is_cut;
  if (extractor_ && (co_await async::yield_now())) {
    content::Extracted found = extractor_->extract(document, place);
    record.extracted = std::move(found.fields);
    record.is_extract_truncated = record.is_extract_truncated || found.is_truncated;
  }
  if (keeps_metadata_ && (co_await async::yield_now())) {
    auto metadata = std::make_shared<content::Metadata>(content::read_metadata(document, place));
    record.is_extract_truncated = record.is_extract_truncated || metadata->is_truncated;
    record.metadata = std::move(metadata);
  }
  if (!reads_main() || !(co_await async::yield_now())) co_return;
  content::MainContentSearch search(document);
  while (!search.find_some()) {
    if (!(co_await async::yield_now())) co_return;
  }
  const content::MainContent main = search.take();
  if (!(co_await async::yield_now())) co_return;
  write_main(main, document, place, record);
  if (!finds_similar_ || !(co_await async::yield_now())) co_return;
  record.sketch = content::text_sketch(record.text);
  if (!keeps_text_) record.text.clear();
}

void PageContents::write_main(const content::MainContent& main, const dom::Document& document,
                              const content::PagePlace& place, FetchRecord& record) const {
  constexpr std::size_t kBytesMax = content::kExtractBytesMax;
  if (keeps_text_ || finds_similar_) record.text = content::to_text(main, kBytesMax);
  if (keeps_markdown_) {
    record.markdown =
        content::to_markdown(main, document, {.place = place, .bytes_max = kBytesMax});
  }
  if (main.outline.is_truncated()) record.is_extract_truncated = true;
  for (std::string* const text : {&record.text, &record.markdown}) {
    record.is_extract_truncated = record.is_extract_truncated || text->size() > kBytesMax;
    html::cut_utf8(*text, kBytesMax);
  }
}

}  // namespace gossamer::crawler
