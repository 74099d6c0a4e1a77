// Converts one exchange to the bytes of its records. Any thread may call it.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "crawl/page/capture.h"
#include "warc/cdxj.h"
#include "warc/digest.h"
#include "warc/record_draft.h"
#include "warc/record_writer.h"

namespace gossamer::store {

// The archived response that a 304 response refers to.
struct NotModified {
  warc::Original original;
  std::optional<warc::Digest> payload;
};

// The facts of an exchange before it is packed.
struct PackingOrder {
  warc::RecordId request;
  warc::RecordId response;
  warc::RecordId metadata;
  std::optional<warc::Digest> payload = {};  // empty: the packer computes it
  // The earlier record with the same payload.
  std::optional<warc::Original> identical = {};
  std::optional<NotModified> not_modified = {};
  bool wants_entry = true;
};

// Gzip members: the request, the response and, if there are outlinks, the metadata.
//
//   bytes | request | response or revisit                       | metadata |
//                   | response_offset, response_length in bytes |
struct PackedExchange {
  std::string bytes;
  std::uint64_t response_offset = 0;
  std::uint64_t response_length = 0;
  warc::Digest payload;
  // The index entry without offset and file, which are not known yet. Empty if there is no index.
  warc::CdxjEntry entry;
};

// Reuses its compressor and its memory for many exchanges.
class ExchangePacker {
 public:
  explicit ExchangePacker(const warc::WriterOptions& options) : writer_(options) {}

  PackedExchange pack(const crawler::Exchange& exchange, const PackingOrder& order);

 private:
  warc::RecordWriter writer_;
};

// A pool of packers for all threads. A thread usually gets the packer that it used last, whose
// tables are still in its cache.
class ExchangePackers {
 public:
  explicit ExchangePackers(const warc::WriterOptions& options) : options_(options) {}

  PackedExchange pack(const crawler::Exchange& exchange, const PackingOrder& order);

 private:
  const warc::WriterOptions options_;
  std::mutex mutex_;
  std::vector<std::unique_ptr<ExchangePacker>> idle_;
};

// Returns the head of a request without fields that may be secrets: Cookie, Authorization and all
// fields that are not known to be harmless.
std::string without_secrets(std::string_view head);

}  // namespace gossamer::store
