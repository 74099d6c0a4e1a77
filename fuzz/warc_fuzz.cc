// Archives of any bytes: the result does not depend on how they are divided and is bounded, and
// records written from them are read back.
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/check.h"
#include "tests/support/cdxj_line.h"
#include "warc/archive_reader.h"
#include "warc/cdxj.h"
#include "warc/payload_reader.h"
#include "warc/record_writer.h"
#include "warc/verifier.h"
#include "warc/wacz.h"

namespace gossamer {
namespace {

using Kind = warc::ArchiveReader::Step::Kind;

// Decompressed, a few kilobytes can be megabytes, so the total is limited.
constexpr std::size_t kBlockBytesMax = 1 << 20;

class Counter final : public warc::PayloadSink {
 public:
  void put(Bytes piece) override { bytes += piece.size(); }
  std::size_t bytes = 0;
};

// Passes one record through everything that reads blocks.
void use_record(const warc::RecordHead& head, const warc::Extent& extent, Bytes block) {
  warc::Verifier verifier(head);
  verifier.feed(block);
  verifier.finish(extent.is_whole);
  Counter counter;
  warc::PayloadReader payload(head, {.limits = {.bytes_max = kBlockBytesMax}}, counter);
  payload.feed(block);
  payload.finish();
  if (!is_indexed(head)) return;
  const warc::CdxjEntry entry = index_entry(head, extent, verifier, "x");
  const std::string line = entry.to_line();
  CHECK(line.find('\n') == std::string::npos);
  const auto read = warc::read_cdxj_line(line);
  CHECK(read.has_value());
  CHECK(read->offset == entry.offset && read->timestamp == entry.timestamp);
}

// Returns everything that was read, as one text.
std::string read(std::string_view bytes, std::size_t piece, bool uses_records) {
  warc::ArchiveReader reader({.head_bytes_max = 4096});
  std::string all;
  std::string block;
  Bytes input;
  while (true) {
    const auto step = reader.next(input);
    input = input.subspan(step.consumed);
    switch (step.kind) {
      case Kind::need_input:
        CHECK(input.empty());
        input = as_bytes(bytes.substr(0, piece));
        bytes.remove_prefix(input.size());
        if (input.empty()) reader.finish();
        break;
      case Kind::record:
        all += "record " + reader.head().raw;
        block.clear();
        break;
      case Kind::block:
        CHECK(!step.block.empty());
        if (block.size() < kBlockBytesMax) block += as_text(step.block);
        break;
      case Kind::record_end: {
        const warc::Extent& extent = reader.extent();
        const auto numbers = {extent.plain_offset, extent.plain_bytes, extent.member_offset,
                              extent.member_bytes};
        for (const std::uint64_t number : numbers) (all += ' ') += std::to_string(number);
        all += block;
        if (uses_records) use_record(reader.head(), extent, as_bytes(block));
        break;
      }
      case Kind::fault: all += "fault " + std::to_string(reader.fault().offset); break;
      case Kind::end: return all;
    }
  }
}

// Writing hostile bytes as a record gives exactly one record, with those bytes.
void write_and_read(std::string_view bytes) {
  const std::array<std::byte, 16> random = {};
  const warc::Capture capture = {.target_uri = std::string(bytes), .date = {}};
  const auto draft = warc::response_record(warc::RecordId(random), capture,
                                           {.head = bytes, .payload = as_bytes(bytes)});
  std::string file;
  warc::RecordWriter({.compress = false}).append(draft, file);
  warc::ArchiveReader reader;
  std::string block;
  Bytes input = as_bytes(file);
  int records = 0;
  reader.finish();
  for (bool is_done = false; !is_done;) {
    const auto step = reader.next(input);
    input = input.subspan(step.consumed);
    records += step.kind == Kind::record ? 1 : 0;
    if (step.kind == Kind::block) block += as_text(step.block);
    CHECK(step.kind != Kind::fault);
    is_done = step.kind == Kind::end;
  }
  CHECK_EQ(records, 1);
  CHECK(block == std::string(bytes) + std::string(bytes));
}

void read_zip(Bytes bytes) {
  const auto zip = warc::ZipArchive::open(bytes);
  if (!zip) return;
  (void)warc::check_wacz(*zip);
  for (const warc::ZipEntry& entry : zip->entries()) (void)zip->read(entry, kBlockBytesMax);
}

}  // namespace
}  // namespace gossamer

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace gossamer;
  if (size == 0) return 0;
  const std::string_view bytes(reinterpret_cast<const char*>(data) + 1, size - 1);
  const std::string whole = read(bytes, size, /*uses_records=*/true);
  const std::string cut = read(bytes, 1 + data[0] % 64, /*uses_records=*/false);
  CHECK(whole == cut);
  write_and_read(bytes);
  read_zip(as_bytes(bytes));
  return 0;
}
