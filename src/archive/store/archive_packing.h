// Converts one exchange to the bytes of its records. Any thread may call it.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "record/capture.h"
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
  // Empty: the packer computes it. REQUIRES, if the payload is in a file: these two are given,
  // unless the record is a revisit.
  std::optional<warc::Digest> payload = {};
  std::optional<warc::Digest> block = {};
  // The earlier record with the same payload.
  std::optional<warc::Original> identical = {};
  std::optional<NotModified> not_modified = {};
  bool wants_entry = true;
};

// The record of a response whose payload is in a file: what surrounds the payload. The member is
// written when it is known where, piece by piece.
struct LargeRecord {
  std::shared_ptr<const crawler::BodyFile> payload;
  std::string head;        // of the record and of its block
  std::string tail;        // of both
  bool is_packed = false;  // the payload is compressed already
  std::string after;       // the members that follow
};

// Gzip members: the request, the response and, if there are outlinks, the metadata.
//
//   bytes | request | response or revisit                       | metadata |
//                   | response_offset, response_length in bytes |
struct PackedExchange {
  std::string bytes;  // if there is a large record, only what is before it
  std::optional<LargeRecord> large;
  std::uint64_t size = 0;  // of everything; of a large record that is not written yet, a bound
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

// Returns the block of a response whose payload is in a file, without the payload.
warc::Block frame_of(const crawler::Capture& capture);

// Returns the head of a request without fields that may be secrets: Cookie, Authorization and all
// fields that are not known to be harmless.
std::string without_secrets(std::string_view head);

}  // namespace gossamer::store
