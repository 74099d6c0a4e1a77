// The records of one exchange, as the bytes that go into the file. Pure: for any thread.
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

// An answer 304 is about an answer that was archived before.
struct NotModified {
  warc::Original original;
  std::optional<warc::Digest> payload;
};

// What is known of an exchange before it is packed.
struct PackingOrder {
  warc::RecordId request;
  warc::RecordId response;
  warc::RecordId metadata;
  std::optional<warc::Digest> payload = {};  // nothing: it is to be made
  // The payload stands there already.
  std::optional<warc::Original> identical = {};
  std::optional<NotModified> not_modified = {};
  bool wants_entry = true;
};

// Members of gzip: the request, the answer and, if there are outlinks, what is known besides.
//
//   bytes | request | response or revisit                       | metadata |
//                   | response_offset, response_length in bytes |
struct PackedExchange {
  std::string bytes;
  std::uint64_t response_offset = 0;
  std::uint64_t response_length = 0;
  warc::Digest payload;
  // Of the index, without where it is: offset and file are not known yet. Empty if nobody wants it.
  warc::CdxjEntry entry;
};

// Keeps its compressor and its memory for one exchange after the other.
class ExchangePacker {
 public:
  explicit ExchangePacker(const warc::WriterOptions& options) : writer_(options) {}

  PackedExchange pack(const crawler::Exchange& exchange, const PackingOrder& order);

 private:
  warc::RecordWriter writer_;
};

// Packers for all threads, as many as are at work at once: a thread finds the one it had before,
// whose tables are still in its cache.
class ExchangePackers {
 public:
  explicit ExchangePackers(const warc::WriterOptions& options) : options_(options) {}

  PackedExchange pack(const crawler::Exchange& exchange, const PackingOrder& order);

 private:
  const warc::WriterOptions options_;
  std::mutex mutex_;
  std::vector<std::unique_ptr<ExchangePacker>> idle_;
};

// The lines of a request without those that may be secret. Cookie and Authorization are, and so is
// everything that users invent: only fields that are known to tell nothing stay.
std::string without_secrets(std::string_view head);

}  // namespace gossamer::store
