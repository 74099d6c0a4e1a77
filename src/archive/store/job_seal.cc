#include "store/job_seal.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>

#include "base/hash.h"
#include "store/beneath.h"

namespace gossamer::store {
namespace {

constexpr std::string_view kSealTitle =
    "# The files of this crawl directory after its last run: size, checksum of the last 64 KiB.\n";
constexpr std::string_view kSealEnd = "checksum ";
// RocksDB has its list of blocks at the end of a table, and everything else has checksums there.
constexpr std::uint64_t kSealTailBytes = 64 * 1024;

struct SealedFile {
  std::string name;  // "tables/CURRENT"
  std::uint64_t bytes = 0;
  std::uint64_t tail = 0;  // the checksum
};

Error seal_error(const std::string& path) { return Error::from_errno(errno, path); }

// Reads the last bytes of a file; fewer if it shrinks meanwhile.
Result<std::string> read_tail(int file, std::uint64_t size, const std::string& path) {
  std::string tail(std::min(size, kSealTailBytes), '\0');
  std::size_t done = 0;
  while (done < tail.size()) {
    const auto at = static_cast<off_t>(size - tail.size() + done);
    const ssize_t count = pread(file, tail.data() + done, tail.size() - done, at);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return fail(seal_error(path));
    if (count == 0) break;
    done += static_cast<std::size_t>(count);
  }
  tail.resize(done);
  return tail;
}

bool is_sealed_table(std::string_view name) {
  return name == "CURRENT" || name.starts_with("MANIFEST-") || name.ends_with(".sst") ||
         name.ends_with(".log");
}
bool is_sealed_archive(std::string_view name) { return name.contains(".warc"); }

// A directory may come from another user, with any names in its seal.
bool may_be_sealed(std::string_view name) {
  if (name == "job.toml") return true;
  const std::size_t slash = name.find('/');
  if (slash == std::string_view::npos) return false;
  const std::string_view folder = name.substr(0, slash);
  const std::string_view file = name.substr(slash + 1);
  if (file.contains('/')) return false;
  return folder == "tables" ? is_sealed_table(file)
                            : folder == "archive" && is_sealed_archive(file);
}

Result<FileHandle> open_sealed(const Folder& folder, const std::string& name) {
  const std::size_t slash = name.find('/');
  if (slash == std::string::npos) return folder.file(name, O_RDONLY);
  const auto inner = folder.folder(name.substr(0, slash));
  return inner ? inner->file(name.substr(slash + 1), O_RDONLY) : fail(inner.error().copy());
}

// Empty: there is no such file.
Result<std::optional<SealedFile>> look_at(const Folder& folder, std::string name) {
  const auto file = open_sealed(folder, name);
  if (!file && file.error() == Errc::not_found) return std::optional<SealedFile>();
  if (!file) return fail(file.error().copy());
  struct stat facts = {};
  const std::string path = folder.path_of(name);
  if (fstat(file->get(), &facts) != 0) return fail(seal_error(path));
  const auto size = static_cast<std::uint64_t>(facts.st_size);
  auto tail = read_tail(file->get(), size, path);
  if (!tail) return fail(std::move(tail).error());
  return std::optional(
      SealedFile{.name = std::move(name), .bytes = size, .tail = base::hash64(*tail)});
}

// Adds the names of the files in a folder of the directory, sorted; none if there is no folder.
Result<void> add_names(const Folder& folder, const std::string& part,
                       bool (*is_wanted)(std::string_view), std::vector<std::string>& names) {
  const auto inner = folder.folder(part);
  if (!inner) {
    return inner.error() == Errc::not_found ? Result<void>() : fail(inner.error().copy());
  }
  const std::size_t before = names.size();
  auto listed = inner->for_each([&](const std::string& name, const struct stat&) {
    if (is_wanted(name)) names.push_back(part + "/" + name);
  });
  std::ranges::sort(names.begin() + static_cast<std::ptrdiff_t>(before), names.end());
  return listed;
}

std::string with_checksum(std::string text) {
  const std::uint64_t checksum = base::hash64(text);
  return std::move(text) + fmt::format("{}{:016x}\n", kSealEnd, checksum);
}

// Takes a number and the space behind it from the beginning.
std::optional<std::uint64_t> take_number(std::string_view& line, int radix) {
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(line.data(), line.data() + line.size(), number, radix);
  const auto length = static_cast<std::size_t>(end - line.data());
  if (error != std::errc() || length == line.size() || line[length] != ' ') return std::nullopt;
  line.remove_prefix(length + 1);
  return number;
}

// Returns the files of a seal; empty: it is damaged.
std::optional<std::vector<SealedFile>> read_seal(std::string_view text) {
  const std::size_t last = text.rfind(kSealEnd);
  if (last == std::string_view::npos || with_checksum(std::string(text.substr(0, last))) != text) {
    return std::nullopt;
  }
  if (!text.starts_with(kSealTitle)) return std::nullopt;
  std::string_view rest = text.substr(0, last).substr(kSealTitle.size());
  std::vector<SealedFile> files;
  while (!rest.empty()) {
    std::string_view line = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(std::min(rest.size(), line.size() + 1));
    const auto bytes = take_number(line, 10);
    const auto tail = bytes ? take_number(line, 16) : std::nullopt;
    if (!tail || !may_be_sealed(line)) return std::nullopt;
    files.push_back({.name = std::string(line), .bytes = *bytes, .tail = *tail});
  }
  return files;
}

// Returns how a file differs from the seal; empty: it does not.
std::string difference(const SealedFile& wanted, const std::optional<SealedFile>& found) {
  if (!found) return wanted.name + " is missing";
  if (found->bytes < wanted.bytes) {
    return fmt::format("{} has lost {} of {} bytes", wanted.name, wanted.bytes - found->bytes,
                       wanted.bytes);
  }
  if (found->bytes > wanted.bytes || found->tail != wanted.tail) {
    return wanted.name + " has changed";
  }
  return {};
}

}  // namespace

Result<std::string> seal_of(const std::string& path) {
  const auto folder = Folder::open(path);
  if (!folder) return fail(folder.error().copy());
  std::vector<std::string> names = {"job.toml"};
  auto listed = add_names(*folder, "tables", is_sealed_table, names);
  if (listed) listed = add_names(*folder, "archive", is_sealed_archive, names);
  if (!listed) return fail(std::move(listed).error());
  std::string text(kSealTitle);
  for (std::string& name : names) {
    auto file = look_at(*folder, std::move(name));
    if (!file) return fail(std::move(file).error());
    if (!*file) continue;
    text += fmt::format("{} {:016x} {}\n", (*file)->bytes, (*file)->tail, (*file)->name);
  }
  return with_checksum(std::move(text));
}

Result<SealDamage> compare_with_seal(const std::string& path, std::string_view seal) {
  const auto files = read_seal(seal);
  if (!files) return SealDamage{.job = {"seal is damaged"}, .archive = {}};
  const auto folder = Folder::open(path);
  if (!folder) return fail(folder.error().copy());
  SealDamage damage;
  for (const SealedFile& wanted : *files) {
    const auto found = look_at(*folder, wanted.name);
    if (!found) return fail(found.error().copy());
    std::string text = difference(wanted, *found);
    if (text.empty()) continue;
    const bool is_archive = wanted.name.starts_with("archive/");
    (is_archive ? damage.archive : damage.job).push_back(std::move(text));
  }
  return damage;
}

}  // namespace gossamer::store
