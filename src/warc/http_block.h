// The HTTP message in the block of a record: its head, its body as it was stored, its payload.
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

// Archives hold what servers of thirty years sent, and what tools made of it: any start line will
// do, lines end with CRLF or LF, lines that are no fields are skipped.
struct HttpHead {
  std::string start_line;
  Fields fields;
  std::string raw;  // the bytes, with the empty line at the end

  // The status code, if it is the head of a response with one.
  std::optional<int> status() const noexcept;
  // "text/html": the type of the content without parameters; empty if none is said.
  std::string_view content_type() const noexcept;
  bool is_chunked() const noexcept;
  // The content is compressed already: by a content coding, or by what it is.
  bool is_packed() const noexcept;
};

HttpHead parse_http_head(std::string_view raw);

// Takes a block apart while it comes.
//
// BOUND: holds the head. A block without an end of one within `head_bytes_max` is all body, and has
// no head.
class HttpBlock {
 public:
  explicit HttpBlock(std::size_t head_bytes_max = 1024 * 1024) noexcept
      : head_bytes_max_(head_bytes_max) {}

  // The part of the piece that is body. When the head turns out to be none, that is everything so
  // far. BORROWS: the piece and this, until the next call.
  Bytes feed(Bytes piece);
  // The block has ended: what was kept back is a head without its empty line.
  void finish();

  const std::optional<HttpHead>& head() const noexcept { return head_; }

 private:
  std::string raw_;
  std::size_t head_bytes_max_;
  std::optional<HttpHead> head_;
  bool is_body_ = false;
};

// Undoes the chunked transfer coding where it really is there: many tools keep the field and store
// the body without it.
class TransferDecoding {
 public:
  explicit TransferDecoding(bool is_chunked) noexcept : is_chunked_(is_chunked) {}

  // Calls `use(bytes)` for the pieces of the payload. Once the data turns out not to be chunked,
  // nothing more comes: is_broken().
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
  // The last chunk has come.
  bool is_done() const noexcept { return decoder_.is_done(); }

 private:
  wire::ChunkedLimits limits_;
  wire::ChunkedDecoder decoder_;
  bool is_chunked_;
  bool is_broken_ = false;
};

}  // namespace gossamer::warc
