// Reads ZIP files of others from memory, or mapped into it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/bytes.h"
#include "base/result.h"
#include "warc/member_codec.h"

namespace gossamer::warc {

// A relative path that stays below where it is put: no empty part, no "." and "..", no backslash,
// no colon, no control characters.
bool is_safe_entry_name(std::string_view name) noexcept;

struct ZipEntry {
  std::string name;  // as it stands there: ask is_safe_entry_name() before making it a path
  std::uint64_t bytes = 0;
  std::uint64_t stored_bytes = 0;
  std::uint64_t header_offset = 0;
  std::uint32_t crc32 = 0;
  std::uint16_t method = 0;  // 0 stored, 8 deflate
  std::uint16_t flags = 0;
};

class ZipArchive {
 public:
  // BORROWS: the file. Fails with Errc::malformed if it is no ZIP file, or one whose members lie
  // over one another (how small files claim to be huge ones); with Errc::over_limit beyond a
  // million members.
  static Result<ZipArchive> open(Bytes file);

  const std::vector<ZipEntry>& entries() const noexcept { return entries_; }
  const ZipEntry* find(std::string_view name) const noexcept;

  // The bytes of a member as they lie in the file. Fails with Errc::malformed if they do not lie
  // inside of it.
  Result<Bytes> stored(const ZipEntry& entry) const;
  // A whole member. Fails with Errc::over_limit if it is larger than that, Errc::unsupported if it
  // is encrypted or packed in another way than by deflate, Errc::malformed if it is damaged.
  Result<std::string> read(const ZipEntry& entry, std::uint64_t bytes_max) const;

 private:
  explicit ZipArchive(Bytes file) noexcept : file_(file) {}

  Bytes file_;
  std::vector<ZipEntry> entries_;
};

// A member piece by piece.
//
// BOUND: 64 KiB, and never more bytes than the directory says.
class ZipMemberReader {
 public:
  // BORROWS: the archive's file. Fails like ZipArchive::read.
  static Result<ZipMemberReader> open(const ZipArchive& archive, const ZipEntry& entry);

  // The next piece; empty at the end, where size and checksum must be right. Fails with
  // Errc::malformed. BORROWS: until the next call.
  Result<Bytes> next();

 private:
  ZipMemberReader(const ZipEntry& entry, Bytes stored);

  Bytes stored_;
  std::uint64_t bytes_left_;
  std::uint32_t crc32_wanted_;
  std::uint32_t crc32_ = 0;
  std::unique_ptr<MemberCodec> codec_;  // none: stored
  std::string piece_;
  bool has_ended_ = false;
};

}  // namespace gossamer::warc
