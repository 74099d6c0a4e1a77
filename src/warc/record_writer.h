// Writes WARC 1.1 records, each in a gzip member of its own.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "base/bytes.h"
#include "warc/digest.h"
#include "warc/record_draft.h"

struct libdeflate_compressor;
struct z_stream_s;

namespace gossamer::warc {

// Appends "name: value" and CRLF. Control characters in the value, line ends first of all, are
// escaped as %0D: a value never ends its line. REQUIRES: the name is a token (RFC 9110).
void append_field(std::string& out, std::string_view name, std::string_view value);

// The address with its blanks and control characters escaped.
std::string escaped_uri(std::string_view uri);

// What a head says about its block.
struct BlockFacts {
  std::uint64_t bytes = 0;
  Digest digest;
};

BlockFacts facts_of(const Block& block, DigestAlgorithm algorithm);

// From the version to the empty line. The block follows, and behind it two line ends. For blocks
// that are in no memory at once; draft.block is not looked at.
std::string record_head(const RecordDraft& draft, const BlockFacts& facts);
inline constexpr std::string_view kRecordEnd = "\r\n\r\n";

struct WriterOptions {
  // gzip members; without it the file is the plain records.
  bool compress = true;
  // 1 to 12; higher is smaller and dearer. Compression is the dearest step of archiving anyway.
  int level = 1;
  // WARC-Block-Digest.
  DigestAlgorithm digest = DigestAlgorithm::sha1;
};

class MemberWriter;

// Keeps its compressor and its memory from record to record.
class RecordWriter {
 public:
  // REQUIRES: a level of 1 to 12.
  explicit RecordWriter(const WriterOptions& options = {});
  RecordWriter(RecordWriter&&) noexcept;
  RecordWriter& operator=(RecordWriter&&) noexcept;
  ~RecordWriter();

  // Appends the record as it is to stand in the file. How many bytes that are, is how much `out`
  // has grown.
  void append(const RecordDraft& draft, std::string& out);

 private:
  struct Deleter {
    void operator()(libdeflate_compressor* compressor) const noexcept;
  };

  void append_with_stored_body(const std::string& head, const Block& block, std::string& out);

  WriterOptions options_;
  std::unique_ptr<libdeflate_compressor, Deleter> compressor_;
  std::unique_ptr<MemberWriter> member_;  // made when it is needed
  std::string plain_;
};

// A gzip member piece by piece, for records that are larger than memory should be.
class MemberWriter {
 public:
  // REQUIRES: a level of 1 to 9.
  explicit MemberWriter(int level = 1);
  ~MemberWriter();
  MemberWriter(const MemberWriter&) = delete;
  MemberWriter& operator=(const MemberWriter&) = delete;

  // Appends what is ready.
  void write(Bytes bytes, std::string& out);
  // The same, of bytes that would not become smaller: these, and all that follows in this member,
  // are copied.
  void store(Bytes bytes, std::string& out);
  // The rest. Another member may follow.
  void finish(std::string& out);

 private:
  void run(Bytes bytes, int flush, std::string& out);
  void stop_compressing(std::string& out);

  int level_;
  bool stores_ = false;
  std::unique_ptr<z_stream_s> stream_;
};

}  // namespace gossamer::warc
