// The text of a response in an archive.
#pragma once

#include <optional>
#include <string>

#include "base/bytes.h"
#include "index/page_text.h"
#include "url/url.h"
#include "warc/answer_reader.h"
#include "warc/payload_reader.h"

namespace gossamer::index {

// Whether pages at this address are indexed: http and https, but not robots.txt.
bool is_indexed(const url::Url& url) noexcept;

// The body of a page, as far as it is indexed. BOUND: kIndexedPageBytesMax.
class IndexedBody final : public warc::PayloadSink {
 public:
  void put(Bytes piece) override {
    if (bytes_.size() < kIndexedPageBytesMax) bytes_ += as_text(piece);
  }
  const std::string& bytes() const { return bytes_; }

 private:
  std::string bytes_;
};

struct ResponseText {
  std::string mime;  // "text/html"
  PageText text;
};

// Returns nothing if the answer is an error or a redirect, or has no text to index.
std::optional<ResponseText> text_of(const warc::Answer& answer, const IndexedBody& body,
                                    const url::Url& url);
// Returns false if the head of a revisit says that its original is not indexed. A head that says
// nothing (304) may be that of a page.
bool may_be_page(const warc::Answer& revisit);

}  // namespace gossamer::index
