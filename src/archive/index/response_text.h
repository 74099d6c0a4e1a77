// The text of a response in an archive.
#pragma once

#include <optional>
#include <string>

#include "base/bytes.h"
#include "index/page_text.h"
#include "url/url.h"
#include "warc/payload_reader.h"
#include "warc/record.h"

namespace gossamer::index {

// Whether pages at this address are indexed: http and https, but not robots.txt.
bool is_indexed(const url::Url& url) noexcept;

struct ResponseText {
  std::string mime;  // "text/html"
  PageText text;
};

// Reads the block of a record piece by piece. BOUND: kIndexedPageBytesMax of the body.
class ResponseReader {
 public:
  explicit ResponseReader(const warc::RecordHead& head);
  ResponseReader(const ResponseReader&) = delete;
  ResponseReader& operator=(const ResponseReader&) = delete;

  void feed(Bytes block) { reader_.feed(block); }
  // Ends the block of a revisit. Returns false if its head says that the original is not indexed. A
  // head that says nothing (304) may be that of a page.
  bool may_be_page();
  // Ends the block. Returns nothing if it is an error or a redirect, or has no text to index.
  std::optional<ResponseText> finish(const url::Url& url);

 private:
  class Body final : public warc::PayloadSink {
   public:
    void put(Bytes piece) override {
      if (bytes.size() < kIndexedPageBytesMax) bytes += as_text(piece);
    }
    std::string bytes;
  };

  const bool has_http_;
  const std::string type_of_block_;
  Body body_;
  warc::PayloadReader reader_;
};

}  // namespace gossamer::index
