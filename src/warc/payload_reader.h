// The payload of a record as a reader wants it: without the HTTP head, without transfer coding and,
// if wished, without content codings.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "base/bytes.h"
#include "warc/http_block.h"
#include "warc/record.h"
#include "wire/content_decoder.h"

namespace gossamer::warc {

struct PayloadOptions {
  // Undo gzip, br, zstd and deflate.
  bool decode_content = true;
  wire::DecodeLimits limits = {};
};

class PayloadSink {
 public:
  virtual ~PayloadSink() = default;
  virtual void put(Bytes piece) = 0;
};

// Feeds a sink. Data that is not coded as its head says passes as it is stored.
//
// BOUND: the HTTP head, a line of chunk framing, 64 KiB, and what the content codings need.
class PayloadReader {
 public:
  // BORROWS: the sink, for as long as this lives.
  PayloadReader(const RecordHead& head, const PayloadOptions& options, PayloadSink& sink);

  void feed(Bytes block);
  // The block has ended. What the content codings say about it; else damaged or cut if its chunks
  // break or stop behind some payload; else complete.
  wire::DecodeEnd finish();

  const std::optional<HttpHead>& http() const noexcept { return http_.head(); }
  // What is kept until it is known whether it is chunked.
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
  std::string held_;  // what may turn out not to be chunked
  bool has_payload_ = false;
  std::unique_ptr<wire::ContentDecoder> content_;
  std::string content_held_;  // what may turn out not to be coded
  std::string scratch_;
};

}  // namespace gossamer::warc
