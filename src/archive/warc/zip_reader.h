// Reads ZIP files from memory, or memory-mapped ones.
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

// Returns whether the name is a relative path that stays below its folder: no empty part, no "."
// and "..", no backslash, no colon, no control characters.
bool is_safe_entry_name(std::string_view name) noexcept;

struct ZipEntry {
  std::string name;  // as stored: check it with is_safe_entry_name() before using it as a path
  std::uint64_t bytes = 0;
  std::uint64_t stored_bytes = 0;
  std::uint64_t header_offset = 0;
  std::uint32_t crc32 = 0;
  std::uint16_t method = 0;  // 0 stored, 8 deflate
  std::uint16_t flags = 0;
};

class ZipArchive {
 public:
  // BORROWS: the file. Fails with Errc::malformed if it is not a ZIP file, or if its members
  // overlap (a trick of ZIP bombs); with Errc::over_limit beyond a million members.
  static Result<ZipArchive> open(Bytes file);

  const std::vector<ZipEntry>& entries() const noexcept { return entries_; }
  const ZipEntry* find(std::string_view name) const noexcept;

  // Returns the stored bytes of a member. Fails with Errc::malformed if they are outside the file.
  Result<Bytes> stored(const ZipEntry& entry) const;
  // Returns a whole member. Fails with Errc::over_limit if it is larger than `bytes_max`, with
  // Errc::unsupported if it is encrypted or uses another method than deflate, with Errc::malformed
  // if it is damaged.
  Result<std::string> read(const ZipEntry& entry, std::uint64_t bytes_max) const;

 private:
  explicit ZipArchive(Bytes file) noexcept : file_(file) {}

  Bytes file_;
  std::vector<ZipEntry> entries_;
};

// Reads a member piece by piece.
//
// BOUND: 64 KiB, and never more bytes than the directory says.
class ZipMemberReader {
 public:
  // BORROWS: the archive's file. Fails like ZipArchive::read.
  static Result<ZipMemberReader> open(const ZipArchive& archive, const ZipEntry& entry);

  // Returns the next piece; empty at the end, where size and checksum are verified. Fails with
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
