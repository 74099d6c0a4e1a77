// The HTTP message in the block of a record: its head, its body as stored, its payload.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/bytes.h"
#include "warc/record.h"
#include "wire/chunked_decoder.h"

namespace gossamer::warc {

// Archives contain thirty years of responses, and what tools made of them. So any start line is
// accepted, lines end with CRLF or LF, and lines that are not fields are skipped.
struct HttpHead {
  std::string start_line;
  Fields fields;
  std::string raw;  // including the empty line at the end

  // Returns the status code of a response.
  std::optional<int> status() const noexcept;
  // Returns the content type without parameters, such as "text/html"; empty if there is none.
  std::string_view content_type() const noexcept;
  bool is_chunked() const noexcept;
  // Returns whether the content is already compressed: by a content coding, or by its type.
  bool is_packed() const noexcept;
};

HttpHead parse_http_head(std::string_view raw);

// Splits a block into head and body while it arrives.
//
// BOUND: holds the head. A block whose head does not end within `head_bytes_max` has no head; it is
// all body.
class HttpBlock {
 public:
  explicit HttpBlock(std::size_t head_bytes_max = 1024 * 1024) noexcept
      : head_bytes_max_(head_bytes_max) {}

  // Returns the part of the piece that belongs to the body. If there turns out to be no head, that
  // is everything so far. BORROWS: the piece and this object, until the next call.
  Bytes feed(Bytes piece);
  // Ends the block: bytes that were held back are a head without its empty line.
  void finish();

  const std::optional<HttpHead>& head() const noexcept { return head_; }

 private:
  std::string raw_;
  std::size_t head_bytes_max_;
  std::optional<HttpHead> head_;
  bool is_body_ = false;
};

// Decodes the chunked transfer coding if it is really there: many tools keep the field and store
// the body without it.
class TransferDecoding {
 public:
  explicit TransferDecoding(bool is_chunked) noexcept : is_chunked_(is_chunked) {}

  // Calls `use(bytes)` for the pieces of the payload. Once the data turns out not to be chunked,
  // there are no more: is_broken().
  template <class Use>
  void feed(Bytes body, Use use) {
    if (!is_chunked_) return use(body);
    while (!body.empty() && !is_broken_ && !decoder_.is_done()) {
      const auto step = decoder_.feed(body, limits_);
      is_broken_ = !step;
      if (is_broken_) return;
      if (!step->body.empty()) use(step->body);
      body = body.subspan(step->consumed);
    }
  }

  bool is_chunked() const noexcept { return is_chunked_; }
  bool is_broken() const noexcept { return is_broken_; }
  // Returns whether the last chunk has arrived.
  bool is_done() const noexcept { return decoder_.is_done(); }

 private:
  wire::ChunkedLimits limits_;
  wire::ChunkedDecoder decoder_;
  bool is_chunked_;
  bool is_broken_ = false;
};

}  // namespace gossamer::warc
