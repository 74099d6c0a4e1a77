#include "warc/zip_reader.h"

#include <algorithm>
#include <limits>
#include <optional>
#include <utility>

#include "warc/zip_format.h"
#include "warc/zip_writer.h"

namespace gossamer::warc {
namespace {

constexpr std::uint64_t kEntriesMax = 1'000'000;
constexpr std::size_t kPieceBytes = 64 * 1024;

std::unexpected<Error> malformed(std::string text) {
  return fail(Errc::malformed, "ZIP: " + std::move(text));
}

// Takes little-endian numbers from the front. Missing bytes read as zero and are remembered.
class NumberReader {
 public:
  explicit NumberReader(Bytes bytes) : bytes_(bytes) {}

  template <class Number>
  Number take() {
    const Bytes taken = take_bytes(sizeof(Number));
    std::uint64_t number = 0;
    for (std::size_t i = taken.size(); i-- > 0;) {
      number = number << 8 | static_cast<std::uint64_t>(taken[i]);
    }
    return static_cast<Number>(number);
  }

  Bytes take_bytes(std::size_t size) {
    is_short_ |= size > bytes_.size();
    const Bytes taken = bytes_.first(is_short_ ? 0 : size);
    bytes_ = bytes_.subspan(taken.size());
    return taken;
  }

  bool is_short() const { return is_short_; }
  bool empty() const { return bytes_.empty(); }
  Bytes rest() const { return bytes_; }

 private:
  Bytes bytes_;
  bool is_short_ = false;
};

struct Directory {
  std::uint64_t entries = 0;
  std::uint64_t bytes = 0;
  std::uint64_t offset = 0;
};

// A comment of up to 64 KiB may follow the end record.
std::optional<std::size_t> find_end(Bytes file) {
  if (file.size() < zip::kEndBytes) return std::nullopt;
  const std::size_t first =
      file.size() - std::min<std::size_t>(file.size(), zip::kEndBytes + 0xFFFF);
  for (std::size_t at = file.size() - zip::kEndBytes + 1; at-- > first;) {
    if (NumberReader(file.subspan(at)).take<std::uint32_t>() == zip::kEnd) return at;
  }
  return std::nullopt;
}

std::optional<Directory> read_end64(Bytes file, std::size_t end) {
  if (end < zip::kEnd64LocatorBytes) return std::nullopt;
  NumberReader locator(file.subspan(end - zip::kEnd64LocatorBytes));
  if (locator.take<std::uint32_t>() != zip::kEnd64Locator) return std::nullopt;
  locator.take<std::uint32_t>();
  const auto at = locator.take<std::uint64_t>();
  if (at > file.size() || file.size() - at < zip::kEnd64Bytes) return std::nullopt;
  NumberReader record(file.subspan(static_cast<std::size_t>(at)));
  if (record.take<std::uint32_t>() != zip::kEnd64) return std::nullopt;
  record.take_bytes(8 + 2 + 2 + 4 + 4 + 8);
  Directory directory;
  directory.entries = record.take<std::uint64_t>();
  directory.bytes = record.take<std::uint64_t>();
  directory.offset = record.take<std::uint64_t>();
  return directory;
}

Result<Directory> read_directory(Bytes file) {
  const auto end = find_end(file);
  if (!end) return malformed("it has no central directory");
  NumberReader record(file.subspan(*end + 4 + 2 + 2 + 2));
  Directory directory;
  directory.entries = record.take<std::uint16_t>();
  directory.bytes = record.take<std::uint32_t>();
  directory.offset = record.take<std::uint32_t>();
  if (auto large = read_end64(file, *end)) directory = *large;
  if (directory.offset > file.size() || directory.bytes > file.size() - directory.offset) {
    return malformed("the central directory is outside the file");
  }
  if (directory.entries > kEntriesMax) return fail(Errc::over_limit, "ZIP: too many members");
  return directory;
}

// The zip64 field contains the numbers that did not fit, in this order.
void read_extra(Bytes extra, ZipEntry& entry) {
  NumberReader fields(extra);
  while (!fields.empty() && !fields.is_short()) {
    const auto id = fields.take<std::uint16_t>();
    const auto size = fields.take<std::uint16_t>();
    NumberReader numbers(fields.take_bytes(size));
    if (id != zip::kZip64Field) continue;
    for (std::uint64_t* number : {&entry.bytes, &entry.stored_bytes, &entry.header_offset}) {
      if (*number == zip::kInZip64) *number = numbers.take<std::uint64_t>();
    }
  }
}

std::optional<ZipEntry> read_entry(NumberReader& directory) {
  if (directory.take<std::uint32_t>() != zip::kCentralHeader) return std::nullopt;
  ZipEntry entry;
  directory.take_bytes(4);  // versions
  entry.flags = directory.take<std::uint16_t>();
  entry.method = directory.take<std::uint16_t>();
  directory.take_bytes(4);  // time
  entry.crc32 = directory.take<std::uint32_t>();
  entry.stored_bytes = directory.take<std::uint32_t>();
  entry.bytes = directory.take<std::uint32_t>();
  const auto name_bytes = directory.take<std::uint16_t>();
  const auto extra_bytes = directory.take<std::uint16_t>();
  const auto comment_bytes = directory.take<std::uint16_t>();
  directory.take_bytes(2 + 2 + 4);  // disk, attributes
  entry.header_offset = directory.take<std::uint32_t>();
  entry.name = as_text(directory.take_bytes(name_bytes));
  read_extra(directory.take_bytes(extra_bytes), entry);
  directory.take_bytes(comment_bytes);
  if (directory.is_short()) return std::nullopt;
  return entry;
}

bool do_members_overlap(const std::vector<ZipEntry>& entries) {
  std::vector<std::pair<std::uint64_t, std::uint64_t>> ranges;
  for (const ZipEntry& entry : entries) {
    if (entry.stored_bytes > 0) ranges.emplace_back(entry.header_offset, entry.stored_bytes);
  }
  std::ranges::sort(ranges);
  for (std::size_t i = 1; i < ranges.size(); ++i) {
    const std::uint64_t between = ranges[i].first - ranges[i - 1].first;
    if (between < zip::kLocalHeaderBytes ||
        between - zip::kLocalHeaderBytes < ranges[i - 1].second) {
      return true;
    }
  }
  return false;
}

}  // namespace

bool is_safe_entry_name(std::string_view name) noexcept {
  if (name.empty()) return false;
  for (const char c : name) {
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7F || c == '\\' || c == ':') return false;
  }
  while (true) {
    const std::size_t slash = name.find('/');
    const std::string_view part = name.substr(0, slash);
    if (part.empty() || part == "." || part == "..") return false;
    if (slash == std::string_view::npos) return true;
    name.remove_prefix(slash + 1);
  }
}

Result<ZipArchive> ZipArchive::open(Bytes file) {
  const auto directory = read_directory(file);
  if (!directory) return fail(directory.error().copy());
  ZipArchive archive(file);
  NumberReader reader(file.subspan(static_cast<std::size_t>(directory->offset),
                                   static_cast<std::size_t>(directory->bytes)));
  for (std::uint64_t i = 0; i < directory->entries; ++i) {
    auto entry = read_entry(reader);
    if (!entry) return malformed("the central directory is damaged");
    archive.entries_.push_back(std::move(*entry));
  }
  if (do_members_overlap(archive.entries_)) return malformed("members overlap");
  return archive;
}

const ZipEntry* ZipArchive::find(std::string_view name) const noexcept {
  const auto found = std::ranges::find(entries_, name, &ZipEntry::name);
  return found == entries_.end() ? nullptr : &*found;
}

Result<Bytes> ZipArchive::stored(const ZipEntry& entry) const {
  if (entry.header_offset > file_.size()) return malformed("a member is outside the file");
  NumberReader header(file_.subspan(static_cast<std::size_t>(entry.header_offset)));
  if (header.take<std::uint32_t>() != zip::kLocalHeader) return malformed("a member has no header");
  header.take_bytes(22);
  const auto name_bytes = header.take<std::uint16_t>();
  const auto extra_bytes = header.take<std::uint16_t>();
  const std::string_view name = as_text(header.take_bytes(name_bytes));
  header.take_bytes(extra_bytes);
  if (header.is_short() || entry.stored_bytes > header.rest().size()) {
    return malformed("a member is outside the file");
  }
  // Readers use one name or the other, so both must be equal.
  if (name != entry.name)
    return malformed("a member has a different name in the central directory");
  return header.rest().first(static_cast<std::size_t>(entry.stored_bytes));
}

Result<std::string> ZipArchive::read(const ZipEntry& entry, std::uint64_t bytes_max) const {
  if (entry.bytes > bytes_max) return fail(Errc::over_limit, "ZIP: " + entry.name);
  auto reader = ZipMemberReader::open(*this, entry);
  if (!reader) return fail(std::move(reader).error());
  std::string content;
  while (true) {
    const auto piece = reader->next();
    if (!piece) return fail(piece.error().copy());
    if (piece->empty()) return content;
    content += as_text(*piece);
  }
}

ZipMemberReader::ZipMemberReader(const ZipEntry& entry, Bytes stored)
    : stored_(stored), bytes_left_(entry.bytes), crc32_wanted_(entry.crc32) {
  if (entry.method != 0) codec_ = make_deflate_member_codec();
}

Result<ZipMemberReader> ZipMemberReader::open(const ZipArchive& archive, const ZipEntry& entry) {
  if ((entry.flags & zip::kFlagEncrypted) != 0) {
    return fail(Errc::unsupported, "ZIP: " + entry.name + " is encrypted");
  }
  if (entry.method != 0 && entry.method != 8) {
    return fail(Errc::unsupported, "ZIP: " + entry.name + " uses an unknown compression method");
  }
  auto stored = archive.stored(entry);
  if (!stored) return fail(std::move(stored).error());
  return ZipMemberReader(entry, *stored);
}

Result<Bytes> ZipMemberReader::next() {
  Bytes piece;
  while (piece.empty() && !has_ended_) {
    if (codec_ == nullptr) {
      piece = stored_.first(std::min(stored_.size(), kPieceBytes));
      stored_ = stored_.subspan(piece.size());
      has_ended_ = piece.empty();
    } else {
      piece_.resize(kPieceBytes);
      const auto step = codec_->run(
          stored_, MutableBytes(reinterpret_cast<std::byte*>(piece_.data()), piece_.size()));
      stored_ = stored_.subspan(step.consumed);
      piece = as_bytes(std::string_view(piece_).substr(0, step.produced));
      const bool is_stuck = step.consumed == 0 && step.produced == 0;
      has_ended_ = step.status == MemberCodec::Status::ended;
      if (!has_ended_ && (is_stuck || step.status == MemberCodec::Status::damaged)) {
        return malformed("a member is damaged");
      }
    }
    if (piece.size() > bytes_left_) return malformed("a member is larger than its header says");
    bytes_left_ -= piece.size();
    crc32_ = crc32_of(piece, crc32_);
  }
  if (piece.empty() && (bytes_left_ > 0 || crc32_ != crc32_wanted_)) {
    return malformed("a member is damaged");
  }
  return piece;
}

}  // namespace gossamer::warc
