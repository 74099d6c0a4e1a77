// Writes WARC 1.1 records, one per gzip member.
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

// Appends "name: value" and CRLF. Control characters in the value, above all line ends, are escaped
// as %0D, so a value never ends its line. REQUIRES: the name is a token (RFC 9110).
void append_field(std::string& out, std::string_view name, std::string_view value);

// Returns the address with escaped blanks and control characters.
std::string escaped_uri(std::string_view uri);

// What a header says about its block.
struct BlockFacts {
  std::uint64_t bytes = 0;
  Digest digest;
};

BlockFacts facts_of(const Block& block, DigestAlgorithm algorithm);

// Returns the header from the version to the empty line. The block and two line ends must follow.
// It is for blocks that are not in memory as a whole; draft.block is ignored.
std::string record_head(const RecordDraft& draft, const BlockFacts& facts);
inline constexpr std::string_view kRecordEnd = "\r\n\r\n";

struct WriterOptions {
  // Write gzip members; otherwise plain records.
  bool compress = true;
  // 1 to 12; higher is smaller and slower. Compression is the most expensive step of archiving.
  int level = 1;
  // WARC-Block-Digest.
  DigestAlgorithm digest = DigestAlgorithm::sha1;
};

class MemberWriter;

// Reuses its compressor and memory from record to record.
class RecordWriter {
 public:
  // REQUIRES: the level is 1 to 12.
  explicit RecordWriter(const WriterOptions& options = {});
  RecordWriter(RecordWriter&&) noexcept;
  RecordWriter& operator=(RecordWriter&&) noexcept;
  ~RecordWriter();

  // Appends the record as it will be in the file. Its size is the growth of `out`.
  void append(const RecordDraft& draft, std::string& out);

 private:
  struct Deleter {
    void operator()(libdeflate_compressor* compressor) const noexcept;
  };

  void append_with_stored_body(const std::string& head, const Block& block, std::string& out);

  WriterOptions options_;
  std::unique_ptr<libdeflate_compressor, Deleter> compressor_;
  std::unique_ptr<MemberWriter> member_;  // made on first use
  std::string plain_;
};

// Writes a gzip member piece by piece, for records that should not be in memory as a whole.
class MemberWriter {
 public:
  // REQUIRES: the level is 1 to 9.
  explicit MemberWriter(int level = 1);
  ~MemberWriter();
  MemberWriter(const MemberWriter&) = delete;
  MemberWriter& operator=(const MemberWriter&) = delete;

  // Appends the output that is ready.
  void write(Bytes bytes, std::string& out);
  // The same for bytes that do not compress: they, and everything that follows in this member, are
  // copied.
  void store(Bytes bytes, std::string& out);
  // Ends the member. Another one may follow.
  void finish(std::string& out);

 private:
  void run(Bytes bytes, int flush, std::string& out);
  void stop_compressing(std::string& out);

  int level_;
  bool stores_ = false;
  std::unique_ptr<z_stream_s> stream_;
};

}  // namespace gossamer::warc
