#include "store/job_folder.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <optional>
#include <sstream>
#include <string_view>
#include <system_error>
#include <utility>

#include "base/error.h"
#include "base/hash.h"
#include "store/beneath.h"

namespace gossamer::store {
namespace {

namespace fs = std::filesystem;

Error system_error(const std::string& what) { return Error::from_errno(errno, what); }

bool is_empty_folder(const std::string& path) {
  std::error_code error;
  return fs::is_empty(path, error) && !error;
}

Result<int> take_lock(const Folder& folder) {
  auto lock = folder.file("lock", O_RDWR | O_CREAT);
  if (!lock) return fail(std::move(lock).error());
  // A process that only checks the lock holds it for a moment.
  bool is_taken = false;
  for (int i = 0; i < 20 && !is_taken; ++i) {
    if (i > 0) usleep(10'000);
    is_taken = flock(lock->get(), LOCK_EX | LOCK_NB) == 0;
  }
  if (is_taken) {
    const std::string pid = std::to_string(getpid()) + "\n";
    const bool is_noted =
        ftruncate(lock->get(), 0) == 0 &&
        pwrite(lock->get(), pid.data(), pid.size(), 0) == static_cast<ssize_t>(pid.size());
    static_cast<void>(is_noted);  // the note is for people; the lock works without it
    return lock->release();
  }
  char holder[32] = {};
  const ssize_t read = pread(lock->get(), holder, sizeof holder - 1, 0);
  std::string who = read > 0 ? std::string(holder, static_cast<std::size_t>(read)) : "?";
  while (!who.empty() && who.back() == '\n') who.pop_back();
  return fail(Errc::denied, folder.path() + " is locked by another process (" + who +
                                "); stop it or use another directory");
}

Result<void> write_synced(const Folder& folder, const std::string& name, const std::string& text) {
  const auto file = folder.file(name, O_WRONLY | O_CREAT | O_TRUNC, 0600);
  if (!file) return fail(file.error().copy());
  std::size_t written = 0;
  while (written < text.size()) {
    const ssize_t now = write(file->get(), text.data() + written, text.size() - written);
    if (now < 0 && errno == EINTR) continue;
    if (now < 0) break;
    written += static_cast<std::size_t>(now);
  }
  const bool is_good = written == text.size() && fsync(file->get()) == 0;
  return is_good ? Result<void>() : fail(system_error(folder.path_of(name)));
}

// Replaces a file of the directory atomically.
Result<void> replace_synced(const std::string& path, const std::string& name,
                            const std::string& text) {
  const auto folder = Folder::open(path);
  if (!folder) return fail(folder.error().copy());
  const std::string next = name + ".new";
  if (auto written = write_synced(*folder, next, text); !written) return written;
  if (auto renamed = folder->rename(next, name); !renamed) return renamed;
  return folder->sync();
}

Result<std::string> read_whole(const std::string& path, const std::string& name) {
  const auto folder = Folder::open(path);
  return folder ? folder->read(name) : fail(folder.error().copy());
}

constexpr std::string_view kConfiguration = "job.toml";
constexpr std::string_view kSeal = "seal";
constexpr std::string_view kChecksumBegin = "# checksum ";
// Earlier versions wrote no checksum; their files begin like this.
constexpr std::string_view kTitlesBefore[] = {"# The settings of this crawl.",
                                              "# A crawl of Gossamer: "};

std::string checksum_line(std::string_view text) {
  return fmt::format("{}{:016x}\n", kChecksumBegin, base::hash64(text));
}

// Returns the text without its checksum; empty: they do not match.
std::optional<std::string_view> without_checksum(std::string_view text) {
  for (const std::string_view title : kTitlesBefore) {
    if (text.starts_with(title)) return text;
  }
  const std::size_t end = text.find('\n');
  if (end == std::string_view::npos) return std::nullopt;
  const std::string_view rest = text.substr(end + 1);
  return checksum_line(rest) == text.substr(0, end + 1) ? std::optional(rest) : std::nullopt;
}

std::string advice_for(const std::string& path) {
  return fmt::format("`gossamer job repair {}` repairs what can be repaired", path);
}

// Reads job.toml, and its number after "# format"; without that line it is 1.
Result<std::string> read_checked(const std::string& folder) {
  const std::string configuration = folder + "/job.toml";
  auto text = read_whole(folder, std::string(kConfiguration));
  if (!text) return text;
  const auto checked = without_checksum(*text);
  if (!checked) {
    return fail(Errc::malformed,
                fmt::format("{} is damaged or was edited, since it does not match its checksum; "
                            "`gossamer job repair {}` accepts it as it is",
                            configuration, folder));
  }
  constexpr std::string_view kBegin = "# format ";
  std::istringstream lines{std::string(*checked)};
  for (std::string line; std::getline(lines, line) && line.starts_with('#');) {
    if (!line.starts_with(kBegin)) continue;
    const std::string format = line.substr(kBegin.size());
    if (format == std::to_string(JobFolder::kFormat)) break;
    return fail(Errc::unsupported,
                fmt::format("{} has format {}, but this program reads format {}; use the program "
                            "that wrote it",
                            configuration, format, JobFolder::kFormat));
  }
  return std::string(*checked);
}

// True if another process is writing there.
bool is_locked(const std::string& folder) {
  const auto opened = Folder::open(folder);
  if (!opened) return false;
  const auto lock = opened->file("lock", O_RDONLY);
  return lock && flock(lock->get(), LOCK_SH | LOCK_NB) != 0;
}

// None if there is no seal.
Result<SealDamage> damage_of(const std::string& folder) {
  const std::string name = folder + "/seal";
  std::error_code error;
  if (!fs::exists(name, error)) return SealDamage();
  const auto seal = read_whole(folder, std::string(kSeal));
  auto damage = seal ? compare_with_seal(folder, *seal) : fail(seal.error().copy());
  // A process that began meanwhile has broken the seal and changes the files.
  return fs::exists(name, error) ? std::move(damage) : SealDamage();
}

// Links lead to other files of the user. RocksDB and readers of archives open files by their paths,
// so all names are checked before any of them is used.
Result<void> refuse_links(const std::string& path, JobFolder::Access access) {
  // A reader may lack the right to list the tables of another user, and then cannot open them.
  const auto is_good = [access](const Result<void>& checked) {
    return checked ||
           (access == JobFolder::Access::read && checked.error().error_number() == EACCES);
  };
  const auto folder = Folder::open(path);
  if (!folder) return fail(folder.error().copy());
  if (auto checked = folder->refuse_links(); !is_good(checked)) return checked;
  for (const char* const name : {"tables", "archive"}) {
    if (!folder->has(name)) continue;
    const auto inner = folder->folder(name);
    if (!inner) return fail(inner.error().copy());
    if (auto checked = inner->refuse_links(); !is_good(checked)) return checked;
  }
  return {};
}

}  // namespace

Result<JobFolder> JobFolder::open(const std::string& path, Access access) {
  std::error_code error;
  bool is_job = fs::exists(path + "/job.toml", error);
  if (!is_job && !error) is_job = fs::exists(path + "/lock", error);
  if (error) return fail(Error::from_errno(error.value(), path));
  if (!is_job && access != Access::write) {
    const bool is_there = fs::exists(path, error);
    return fail(Errc::not_found, path + (is_there ? " is not a crawl directory; it has no job.toml"
                                                  : " does not exist"));
  }
  if (is_job) {
    if (auto good = refuse_links(path, access); !good) return fail(std::move(good).error());
  }
  if (access != Access::repair && fs::exists(path + "/job.toml", error)) {
    if (auto known = read_checked(path); !known) {
      return fail(std::move(known).error());
    }
  }
  if (access == Access::read) return JobFolder(path, -1);
  if (!is_job) {
    fs::create_directories(path, error);
    if (error) return fail(Error::from_errno(error.value(), path));
    if (!is_empty_folder(path)) {
      return fail(Errc::exists,
                  path + " exists and is not a crawl directory; use a new or empty one");
    }
  }
  const auto folder = Folder::open(path);
  if (!folder) return fail(folder.error().copy());
  auto lock = take_lock(*folder);
  if (!lock) return fail(std::move(lock).error());
  // The tables contain cookies, which are as sensitive as passwords.
  JobFolder job(path, *lock);
  const auto tables = folder->made_folder("tables", S_IRWXU);
  if (!tables) return fail(tables.error().copy());
  if (chmod(tables->pinned_path_of("").c_str(), S_IRWXU) != 0) {
    return fail(system_error(tables->path()));
  }
  return job;
}

JobFolder::JobFolder(JobFolder&& other) noexcept
    : path_(std::move(other.path_)), lock_(std::exchange(other.lock_, -1)) {}

JobFolder::~JobFolder() {
  if (lock_ >= 0) close(lock_);
}

bool JobFolder::is_busy() const { return is_locked(path_); }

bool JobFolder::is_new() const {
  std::error_code error;
  return !fs::exists(configuration(), error);
}

Result<void> JobFolder::write_configuration(const std::string& text) const {
  return replace_synced(path_, std::string(kConfiguration), checksum_line(text) + text);
}

Result<std::string> JobFolder::read_configuration() const { return read_checked(path_); }

Result<void> JobFolder::accept_configuration() const {
  auto text = read_whole(path_, std::string(kConfiguration));
  if (!text) return fail(std::move(text).error());
  if (text->starts_with(kChecksumBegin)) text->erase(0, text->find('\n') + 1);
  return write_configuration(*text);
}

Result<void> JobFolder::replace_configuration(const std::string& text) const {
  const auto folder = Folder::open(path_);
  if (!folder) return fail(folder.error().copy());
  const std::string name(kConfiguration);
  auto renamed = folder->rename(name, name + ".damaged");
  if (!renamed && renamed.error() != Errc::not_found) return renamed;
  return write_configuration(text);
}

Result<void> JobFolder::seal() const {
  auto text = seal_of(path_);
  if (!text) return fail(std::move(text).error());
  return replace_synced(path_, std::string(kSeal), *text);
}

Result<void> JobFolder::unseal() const {
  const auto folder = Folder::open(path_);
  if (!folder) return fail(folder.error().copy());
  auto removed = folder->remove(std::string(kSeal));
  if (removed) return folder->sync();
  return removed.error() == Errc::not_found ? Result<void>() : std::move(removed);
}

Result<SealDamage> JobFolder::damage() const {
  return lock_ >= 0 ? damage_of(path_) : find_damage(path_);
}

Result<std::vector<std::string>> JobFolder::check() const {
  auto damage = this->damage();
  if (!damage) return fail(std::move(damage).error());
  if (damage->job.empty()) return std::move(damage->archive);
  return fail(Errc::malformed, fmt::format("{} is damaged: {}; {}", path_,
                                           fmt::join(damage->job, ", "), advice_for(path_)));
}

Result<std::uint64_t> JobFolder::free_bytes() const {
  struct statvfs status = {};
  if (statvfs(path_.c_str(), &status) != 0) return fail(system_error(path_));
  return std::uint64_t{status.f_bavail} * status.f_frsize;
}

Result<SealDamage> find_damage(const std::string& folder) {
  return is_locked(folder) ? SealDamage() : damage_of(folder);
}

}  // namespace gossamer::store
