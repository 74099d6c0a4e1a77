// Reads the payload of a record without the HTTP head, without transfer coding and, if enabled,
// without content codings.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/bytes.h"
#include "warc/http_block.h"
#include "warc/record.h"
#include "wire/content_decoder.h"

namespace gossamer::warc {

struct PayloadOptions {
  // Decode gzip, br, zstd and deflate.
  bool decode_content = true;
  wire::DecodeLimits limits = {};
};

class PayloadSink {
 public:
  virtual ~PayloadSink() = default;
  virtual void put(Bytes piece) = 0;
};

// Feeds a sink. Data that is not encoded as its head says is passed on as stored; data that begins
// as its coding does is damaged.
//
// BOUND: the HTTP head, a line of chunk framing, 64 KiB, and the memory of the content codings.
class PayloadReader {
 public:
  // BORROWS: the sink, for as long as this lives.
  PayloadReader(const RecordHead& head, const PayloadOptions& options, PayloadSink& sink);

  void feed(Bytes block);
  // Ends the block. Returns the result of the content codings; otherwise damaged or cut if the
  // chunks are invalid or truncated after some payload; otherwise complete.
  wire::DecodeEnd finish();

  const std::optional<HttpHead>& http() const noexcept { return http_.head(); }
  // Returns how many bytes are held until it is known whether the body is chunked.
  std::size_t held_bytes() const noexcept { return held_.size(); }

 private:
  void take_body(Bytes body);
  void take_payload(Bytes payload);
  void begin_body();
  void give_up_transfer();
  wire::DecodeEnd transfer_end() const;
  void give_up_content();

  PayloadOptions options_;
  PayloadSink* sink_;
  bool has_http_;
  HttpBlock http_;
  std::optional<TransferDecoding> transfer_;
  std::string held_;  // may turn out not to be chunked
  bool has_payload_ = false;
  std::unique_ptr<wire::ContentDecoder> content_;
  std::string content_held_;  // may turn out not to be encoded
  std::string_view mark_;  // the first bytes of every body in the outermost coding, if it has any
  bool holds_all_content_ = true;
  std::string scratch_;
};

}  // namespace gossamer::warc
