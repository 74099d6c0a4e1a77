#include "crawl/page/page_contents.h"

#include <string>
#include <utility>

#include "base/check.h"

namespace gossamer::crawler {

PageContents::PageContents(const Settings& settings) {
  if (settings.extract.empty()) return;
  auto extractor = content::Extractor::compile(settings.extract);
  CHECK(extractor.has_value(), "the rules for fields were not validated");
  extractor_.emplace(std::move(*extractor));
}

void PageContents::prepare(PageReading& reading) const {
  if (is_wanted()) reading.keep_page(content::kExtractPageBytesMax);
}

void PageContents::read(const url::Url& url, PageReading& reading, FetchRecord& record) const {
  const std::string page = reading.take_page();
  if (reading.kind() != BodyKind::html) return;
  content::Extracted found = extractor_->extract(
      page, {.url = &url, .encoding = reading.encoding().value_or(html::Encoding::utf_8)});
  record.extracted = std::move(found.fields);
  record.is_extract_truncated = found.is_truncated || reading.is_page_cut();
}

}  // namespace gossamer::crawler
