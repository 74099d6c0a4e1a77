#include "store/row_position.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <utility>

#include "base/hash.h"
#include "base/number.h"

namespace gossamer::store {
namespace {

constexpr std::size_t kPositionDigits = 20;
constexpr std::size_t kBootBytes = 36;  // a UUID
constexpr std::size_t kPositionChecksumBytes = 16;

// Empty: the system does not say.
std::string boot_of_machine() {
  std::ifstream file("/proc/sys/kernel/random/boot_id");
  std::string boot;
  std::getline(file, boot);
  return boot.substr(0, kBootBytes);
}

// Another writer may remove the file before it is locked. Then there is a new one.
constexpr int kOpenTriesMax = 10;

bool is_named(const FileHandle& file, const Folder& folder, const std::string& name) {
  struct stat own = {};
  struct stat found = {};
  const auto named = folder.file(name, O_RDONLY | O_NONBLOCK);
  return named && fstat(file.get(), &own) == 0 && fstat(named->get(), &found) == 0 &&
         own.st_dev == found.st_dev && own.st_ino == found.st_ino;
}

// Each writer has a shared lock.
FileHandle open_position(const Folder& folder, const std::string& name) {
  for (int tries = 0; tries < kOpenTriesMax; ++tries) {
    auto file = folder.file(name, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    if (!file) break;
    static_cast<void>(flock(file->get(), LOCK_SH));
    if (is_named(*file, folder, name)) return std::move(*file);
  }
  return FileHandle();
}

}  // namespace

std::string pack_row_position(const RowPosition& position) {
  std::string text =
      fmt::format("{:020} {:020} {:36} ", position.written, position.synced, position.boot);
  return text + fmt::format("{:016x}\n", base::hash64(text));
}

std::optional<RowPosition> unpack_row_position(std::string_view text) {
  constexpr std::size_t kBootAt = 2 * (kPositionDigits + 1);
  constexpr std::size_t kChecksumAt = kBootAt + kBootBytes + 1;
  if (text.size() != kChecksumAt + kPositionChecksumBytes + 1) return std::nullopt;
  RowPosition position = {.boot = std::string(text.substr(kBootAt, kBootBytes))};
  position.boot.erase(position.boot.find_last_not_of(' ') + 1);
  const bool is_read =
      base::parse_number(text.substr(0, kPositionDigits), position.written) &&
      base::parse_number(text.substr(kPositionDigits + 1, kPositionDigits), position.synced);
  if (!is_read || pack_row_position(position) != text) return std::nullopt;
  return position;
}

RowPositionFile::RowPositionFile(const Folder& folder, const std::string& name,
                                 std::uint64_t written)
    : position_{.written = written, .synced = 0, .boot = boot_of_machine()},
      file_(open_position(folder, name)) {
  write();
}

void RowPositionFile::note_written(std::uint64_t written) {
  const std::scoped_lock lock(mutex_);
  position_.written = std::max(position_.written, written);
  write();
}

void RowPositionFile::note_synced(std::uint64_t synced) {
  const std::scoped_lock lock(mutex_);
  position_.synced = std::max(position_.synced, synced);
  write();
}

bool RowPositionFile::remove(const Folder& folder, const std::string& name) {
  const std::scoped_lock lock(mutex_);
  if (!file_.is_open() || flock(file_.get(), LOCK_EX | LOCK_NB) != 0) return false;
  const bool is_removed = is_named(file_, folder, name) && folder.remove(name);
  file_ = FileHandle();
  return is_removed;
}

void RowPositionFile::write() const {
  if (!file_.is_open()) return;
  const std::string text = pack_row_position(position_);
  // A file that is only half written fails its checksum, and then nothing is expected.
  static_cast<void>(!pwrite(file_.get(), text.data(), text.size(), 0));
}

std::uint64_t expected_position(const Folder& folder, const std::string& name) {
  const auto text = folder.read(name);
  const auto position = text ? unpack_row_position(*text) : std::nullopt;
  if (!position) return 0;
  const std::string boot = boot_of_machine();
  return !boot.empty() && position->boot == boot ? position->written : position->synced;
}

}  // namespace gossamer::store
