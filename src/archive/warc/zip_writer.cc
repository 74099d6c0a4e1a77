#include "warc/zip_writer.h"

#include <libdeflate.h>

#include <algorithm>
#include <limits>

#include "base/check.h"
#include "warc/zip_format.h"
#include "warc/zip_reader.h"

namespace gossamer::warc {
namespace {

// Little-endian, like everything in ZIP files.
template <class Number>
void put(std::string& out, Number number) {
  for (std::size_t i = 0; i < sizeof(Number); ++i) {
    out.push_back(static_cast<char>(static_cast<std::uint64_t>(number) >> (8 * i) & 0xFF));
  }
}

std::uint32_t clamped(std::uint64_t number) {
  return number >= zip::kInZip64 ? zip::kInZip64 : static_cast<std::uint32_t>(number);
}

// MS-DOS date and time: 1980 to 2107, in steps of two seconds.
std::uint32_t dos_time_of(WallTime time) {
  using namespace std::chrono;
  constexpr std::int64_t kFirst = 315'532'800;   // 1980
  constexpr std::int64_t kLast = 4'354'819'199;  // the end of 2107
  const sys_seconds moment{seconds(std::clamp(time.seconds, kFirst, kLast))};
  const auto day = floor<days>(moment);
  const year_month_day date(day);
  const hh_mm_ss clock(moment - day);
  const auto years = static_cast<std::uint32_t>(static_cast<int>(date.year()) - 1980);
  const std::uint32_t date_bits =
      years << 9 | static_cast<unsigned>(date.month()) << 5 | static_cast<unsigned>(date.day());
  const auto time_bits = static_cast<std::uint32_t>(
      clock.hours().count() << 11 | clock.minutes().count() << 5 | clock.seconds().count() / 2);
  return date_bits << 16 | time_bits;
}

// Version, flags, method, time, checksum and sizes: the same in both headers.
void put_facts(std::string& out, std::uint16_t version, std::uint32_t dos_time, std::uint32_t crc32,
               std::uint64_t bytes, std::size_t name_bytes, std::size_t extra_bytes) {
  put<std::uint16_t>(out, version);
  put<std::uint16_t>(out, zip::kFlagUtf8);
  put<std::uint16_t>(out, 0);  // stored
  put<std::uint32_t>(out, dos_time);
  put<std::uint32_t>(out, crc32);
  put<std::uint32_t>(out, clamped(bytes));
  put<std::uint32_t>(out, clamped(bytes));
  put<std::uint16_t>(out, static_cast<std::uint16_t>(name_bytes));
  put<std::uint16_t>(out, static_cast<std::uint16_t>(extra_bytes));
}

}  // namespace

std::uint32_t crc32_of(Bytes bytes, std::uint32_t before) noexcept {
  return libdeflate_crc32(before, bytes.data(), bytes.size());
}

std::string ZipWriter::begin(std::string_view name, std::uint64_t bytes, std::uint32_t crc32,
                             WallTime date) {
  CHECK(is_safe_entry_name(name) && name.size() <= std::numeric_limits<std::uint16_t>::max(),
        "`{}` cannot be a member name in a ZIP file", name);
  entries_.push_back({.name = std::string(name),
                      .bytes = bytes,
                      .offset = position_,
                      .crc32 = crc32,
                      .dos_time = dos_time_of(date)});
  const Entry& entry = entries_.back();
  const bool is_large = bytes >= zip::kInZip64;
  std::string extra;
  if (is_large) {
    put<std::uint16_t>(extra, zip::kZip64Field);
    put<std::uint16_t>(extra, 16);
    put<std::uint64_t>(extra, bytes);
    put<std::uint64_t>(extra, bytes);
  }
  std::string out;
  put<std::uint32_t>(out, zip::kLocalHeader);
  put_facts(out, is_large ? zip::kVersion64 : zip::kVersionPlain, entry.dos_time, crc32, bytes,
            name.size(), extra.size());
  out += name;
  out += extra;
  position_ += out.size() + bytes;
  return out;
}

std::string ZipWriter::finish() {
  std::string out;
  for (const Entry& entry : entries_) {
    std::string extra;
    if (entry.bytes >= zip::kInZip64 || entry.offset >= zip::kInZip64) {
      std::string numbers;
      if (entry.bytes >= zip::kInZip64) {
        put<std::uint64_t>(numbers, entry.bytes);
        put<std::uint64_t>(numbers, entry.bytes);
      }
      if (entry.offset >= zip::kInZip64) put<std::uint64_t>(numbers, entry.offset);
      put<std::uint16_t>(extra, zip::kZip64Field);
      put<std::uint16_t>(extra, static_cast<std::uint16_t>(numbers.size()));
      extra += numbers;
    }
    const std::uint16_t version = extra.empty() ? zip::kVersionPlain : zip::kVersion64;
    put<std::uint32_t>(out, zip::kCentralHeader);
    put<std::uint16_t>(out, version);  // made by
    put_facts(out, version, entry.dos_time, entry.crc32, entry.bytes, entry.name.size(),
              extra.size());
    put<std::uint16_t>(out, 0);  // comment
    put<std::uint16_t>(out, 0);  // disk
    put<std::uint16_t>(out, 0);  // internal attributes
    put<std::uint32_t>(out, 0);  // external attributes
    put<std::uint32_t>(out, clamped(entry.offset));
    out += entry.name;
    out += extra;
  }
  const std::uint64_t directory_bytes = out.size();
  const bool is_large = entries_.size() >= zip::kCountInZip64 || position_ >= zip::kInZip64 ||
                        directory_bytes >= zip::kInZip64;
  if (is_large) {
    put<std::uint32_t>(out, zip::kEnd64);
    put<std::uint64_t>(out, zip::kEnd64Bytes - 12);
    put<std::uint16_t>(out, zip::kVersion64);
    put<std::uint16_t>(out, zip::kVersion64);
    put<std::uint64_t>(out, 0);  // disks
    put<std::uint64_t>(out, entries_.size());
    put<std::uint64_t>(out, entries_.size());
    put<std::uint64_t>(out, directory_bytes);
    put<std::uint64_t>(out, position_);
    put<std::uint32_t>(out, zip::kEnd64Locator);
    put<std::uint32_t>(out, 0);
    put<std::uint64_t>(out, position_ + directory_bytes);
    put<std::uint32_t>(out, 1);
  }
  const auto count =
      static_cast<std::uint16_t>(std::min<std::size_t>(entries_.size(), zip::kCountInZip64));
  put<std::uint32_t>(out, zip::kEnd);
  put<std::uint32_t>(out, 0);  // disks
  put<std::uint16_t>(out, count);
  put<std::uint16_t>(out, count);
  put<std::uint32_t>(out, clamped(directory_bytes));
  put<std::uint32_t>(out, clamped(position_));
  put<std::uint16_t>(out, 0);  // comment
  position_ += out.size();
  return out;
}

}  // namespace gossamer::warc
