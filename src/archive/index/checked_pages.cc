#include "index/checked_pages.h"

#include <sqlite3.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <new>
#include <span>
#include <string_view>
#include <vector>

#include "base/hash.h"

// A file system for SQLite, which uses the one of the system. Only the file of a database differs:
// pages in its write-ahead log have checksums of SQLite.
namespace gossamer::index {
namespace {

constexpr const char* kFileSystemName = "gossamer-checked";
constexpr int kChecksumBytes = 8;
// Of the header of a database, which is in the first page.
constexpr int kHeaderBytes = 100;
constexpr std::size_t kPageBytesAt = 16;
constexpr std::size_t kReservedBytesAt = 20;
// Beyond the numbers of SQLite, which end before 100.
constexpr int kAskForChecksums = 4'711'001;

// What is known of the pages of an open file.
class CheckedPages {
 public:
  // Learns from the beginning of the first page.
  void note_header(std::span<const std::byte> header) {
    if (header.size() < kHeaderBytes || std::memcmp(header.data(), "SQLite format 3", 16) != 0) {
      return;
    }
    const auto at = [&](std::size_t place) { return std::to_integer<unsigned>(header[place]); };
    // 65,536 is written as 1.
    const unsigned stored = at(kPageBytesAt) << 8 | at(kPageBytesAt + 1);
    page_bytes_ = stored == 1 ? 65'536 : stored;
    has_checksums_ = at(kReservedBytesAt) == kChecksumBytes && page_bytes_ > kChecksumBytes;
  }

  bool has_checksums() const { return has_checksums_; }
  std::size_t page_bytes() const { return page_bytes_; }
  bool is_page(std::int64_t offset, std::int64_t bytes) const {
    return has_checksums_ && bytes == static_cast<std::int64_t>(page_bytes_) &&
           offset % static_cast<std::int64_t>(page_bytes_) == 0;
  }

  bool matches(std::span<const std::byte> page, std::int64_t offset) const {
    const auto expected = checksum_of(page, offset);
    return std::memcmp(&page[page.size() - kChecksumBytes], expected.data(), kChecksumBytes) == 0;
  }
  // Returns a copy with its checksum.
  std::span<const std::byte> completed(std::span<const std::byte> page, std::int64_t offset) {
    copy_.assign(page.begin(), page.end());
    const auto checksum = checksum_of(page, offset);
    std::memcpy(&copy_[copy_.size() - kChecksumBytes], checksum.data(), kChecksumBytes);
    return copy_;
  }

  // Pages in mapped memory are compared once: SQLite fetches them for every use.
  bool is_known(std::int64_t offset) const {
    const std::size_t page = number_of(offset);
    return page < known_.size() && known_[page];
  }
  void note_known(std::int64_t offset) {
    const std::size_t page = number_of(offset);
    if (page >= known_.size()) known_.resize(page + 1024);
    known_[page] = true;
  }

 private:
  std::size_t number_of(std::int64_t offset) const {
    return static_cast<std::size_t>(offset) / page_bytes_;
  }
  // The place of the page counts, too: pages may be in the wrong order.
  std::array<std::byte, kChecksumBytes> checksum_of(std::span<const std::byte> page,
                                                    std::int64_t offset) const {
    const std::uint64_t hash =
        base::hash64(page.first(page.size() - kChecksumBytes), number_of(offset) + 1);
    std::array<std::byte, kChecksumBytes> bytes = {};
    for (std::size_t i = 0; i < bytes.size(); ++i) {
      bytes[i] = static_cast<std::byte>(hash >> (8 * i));
    }
    return bytes;
  }

  bool has_checksums_ = false;
  std::size_t page_bytes_ = 0;
  std::vector<std::byte> copy_;
  std::vector<bool> known_;
};

// SQLite allocates it, with the file of the system behind it.
struct CheckedFile {
  sqlite3_file base = {};
  CheckedPages pages;
};
static_assert(offsetof(CheckedFile, base) == 0);
constexpr int kFileBytes = (sizeof(CheckedFile) + 15) / 16 * 16;

CheckedFile& checked(sqlite3_file* file) { return *reinterpret_cast<CheckedFile*>(file); }
sqlite3_file* real(sqlite3_file* file) {
  return reinterpret_cast<sqlite3_file*>(reinterpret_cast<std::byte*>(file) + kFileBytes);
}
sqlite3_vfs* real(sqlite3_vfs* files) { return static_cast<sqlite3_vfs*>(files->pAppData); }

std::span<std::byte> bytes_at(void* data, std::int64_t size) {
  return {static_cast<std::byte*>(data), static_cast<std::size_t>(size)};
}
std::span<const std::byte> bytes_at(const void* data, std::int64_t size) {
  return {static_cast<const std::byte*>(data), static_cast<std::size_t>(size)};
}

// No exception may pass through C.
template <class Use>
int guarded_io(Use use) try {
  return use();
} catch (const std::bad_alloc&) {
  return SQLITE_IOERR_NOMEM;
}

int close_file(sqlite3_file* file) {
  const int done = real(file)->pMethods->xClose(real(file));
  checked(file).pages.~CheckedPages();
  return done;
}

int read_whole_page(sqlite3_file* file, std::span<std::byte> into, std::int64_t offset) {
  const int done =
      real(file)->pMethods->xRead(real(file), into.data(), static_cast<int>(into.size()), offset);
  if (done != SQLITE_OK) return done;
  return checked(file).pages.matches(into, offset) ? SQLITE_OK : SQLITE_CORRUPT;
}

// A part of a page. Newer versions of SQLite read long texts so.
int read_part(sqlite3_file* file, std::span<std::byte> into, std::int64_t offset) {
  const auto page_bytes = static_cast<std::int64_t>(checked(file).pages.page_bytes());
  std::vector<std::byte> page(static_cast<std::size_t>(page_bytes));
  while (!into.empty()) {
    const std::int64_t begin = offset / page_bytes * page_bytes;
    if (const int done = read_whole_page(file, page, begin); done != SQLITE_OK) return done;
    const auto part = std::span(page).subspan(static_cast<std::size_t>(offset - begin));
    const std::size_t size = std::min(part.size(), into.size());
    std::memcpy(into.data(), part.data(), size);
    into = into.subspan(size);
    offset += static_cast<std::int64_t>(size);
  }
  return SQLITE_OK;
}

int read_file(sqlite3_file* file, void* into, int size, sqlite3_int64 offset) {
  return guarded_io([&] {
    CheckedPages& pages = checked(file).pages;
    const auto bytes = bytes_at(into, size);
    // SQLite reads the header before it knows the size of pages, and its counters before it locks.
    const bool is_header = offset < kHeaderBytes && !pages.is_page(offset, size);
    if (pages.has_checksums() && !is_header) {
      return pages.is_page(offset, size) ? read_whole_page(file, bytes, offset)
                                         : read_part(file, bytes, offset);
    }
    const int done = real(file)->pMethods->xRead(real(file), into, size, offset);
    if (done != SQLITE_OK || offset != 0) return done;
    pages.note_header(bytes);
    return !pages.is_page(offset, size) || pages.matches(bytes, offset) ? SQLITE_OK
                                                                        : SQLITE_CORRUPT;
  });
}

int write_file(sqlite3_file* file, const void* from, int size, sqlite3_int64 offset) {
  return guarded_io([&] {
    CheckedPages& pages = checked(file).pages;
    auto bytes = bytes_at(from, size);
    if (offset == 0) pages.note_header(bytes);
    if (pages.is_page(offset, size)) bytes = pages.completed(bytes, offset);
    return real(file)->pMethods->xWrite(real(file), bytes.data(), size, offset);
  });
}

int fetch_page(sqlite3_file* file, sqlite3_int64 offset, int size, void** page) {
  return guarded_io([&] {
    *page = nullptr;
    CheckedPages& pages = checked(file).pages;
    // Without an address SQLite reads.
    if (pages.has_checksums() && !pages.is_page(offset, size)) return SQLITE_OK;
    const int done = real(file)->pMethods->xFetch(real(file), offset, size, page);
    if (done != SQLITE_OK || *page == nullptr || !pages.has_checksums()) return done;
    if (pages.is_known(offset)) return SQLITE_OK;
    if (pages.matches(bytes_at(*page, size), offset)) {
      pages.note_known(offset);
      return SQLITE_OK;
    }
    real(file)->pMethods->xUnfetch(real(file), offset, *page);
    *page = nullptr;
    return SQLITE_CORRUPT;
  });
}

int control_file(sqlite3_file* file, int what, void* value) {
  if (what != kAskForChecksums) {
    return real(file)->pMethods->xFileControl(real(file), what, value);
  }
  *static_cast<bool*>(value) = checked(file).pages.has_checksums();
  return SQLITE_OK;
}

// Calls a method of the file of the system.
template <auto kMethod>
struct Passed;
template <class... Values, int (*sqlite3_io_methods::*kMethod)(sqlite3_file*, Values...)>
struct Passed<kMethod> {
  static int call(sqlite3_file* file, Values... values) {
    return (real(file)->pMethods->*kMethod)(real(file), values...);
  }
};

void pass_barrier(sqlite3_file* file) { real(file)->pMethods->xShmBarrier(real(file)); }

constexpr sqlite3_io_methods kMethods = {
    .iVersion = 3,
    .xClose = close_file,
    .xRead = read_file,
    .xWrite = write_file,
    .xTruncate = Passed<&sqlite3_io_methods::xTruncate>::call,
    .xSync = Passed<&sqlite3_io_methods::xSync>::call,
    .xFileSize = Passed<&sqlite3_io_methods::xFileSize>::call,
    .xLock = Passed<&sqlite3_io_methods::xLock>::call,
    .xUnlock = Passed<&sqlite3_io_methods::xUnlock>::call,
    .xCheckReservedLock = Passed<&sqlite3_io_methods::xCheckReservedLock>::call,
    .xFileControl = control_file,
    .xSectorSize = Passed<&sqlite3_io_methods::xSectorSize>::call,
    .xDeviceCharacteristics = Passed<&sqlite3_io_methods::xDeviceCharacteristics>::call,
    .xShmMap = Passed<&sqlite3_io_methods::xShmMap>::call,
    .xShmLock = Passed<&sqlite3_io_methods::xShmLock>::call,
    .xShmBarrier = pass_barrier,
    .xShmUnmap = Passed<&sqlite3_io_methods::xShmUnmap>::call,
    .xFetch = fetch_page,
    .xUnfetch = Passed<&sqlite3_io_methods::xUnfetch>::call,
};

int open_file(sqlite3_vfs* files, const char* name, sqlite3_file* file, int flags, int* opened) {
  sqlite3_vfs* const system = real(files);
  if ((flags & SQLITE_OPEN_MAIN_DB) == 0) return system->xOpen(system, name, file, flags, opened);
  auto* const made = new (file) CheckedFile;
  const int done = system->xOpen(system, name, real(file), flags, opened);
  // Without methods SQLite does not close it.
  if (done == SQLITE_OK) {
    made->base.pMethods = &kMethods;
  } else {
    made->pages.~CheckedPages();
  }
  return done;
}

// SQLite would follow a link with this name. That of the system opens no link itself.
int name_file(sqlite3_vfs* files, const char* name, int size, char* full) {
  return guarded_io([&] {
    sqlite3_vfs* const system = real(files);
    const std::string_view path(name);
    const std::size_t slash = path.rfind('/');
    const bool has_folder = slash != std::string_view::npos;
    const std::string folder = has_folder ? std::string(path.substr(0, slash + 1)) : ".";
    const std::string_view last = has_folder ? path.substr(slash + 1) : path;
    const int done = system->xFullPathname(system, folder.c_str(), size, full);
    if ((done & 0xFF) != SQLITE_OK) return done;
    std::string whole = full;
    if (!whole.ends_with('/')) whole += '/';
    whole += last;
    if (whole.size() >= static_cast<std::size_t>(size)) return SQLITE_CANTOPEN;
    std::memcpy(full, whole.c_str(), whole.size() + 1);
    return done;
  });
}

// The file system of the system with another way to open files.
sqlite3_vfs* checked_file_system() {
  static sqlite3_vfs* const kRegistered = []() -> sqlite3_vfs* {
    sqlite3_vfs* const system = sqlite3_vfs_find(nullptr);
    if (system == nullptr) return nullptr;
    static sqlite3_vfs files = *system;
    files.zName = kFileSystemName;
    files.pNext = nullptr;
    files.pAppData = system;
    files.szOsFile = kFileBytes + system->szOsFile;
    files.xOpen = open_file;
    files.xFullPathname = name_file;
    return sqlite3_vfs_register(&files, 0) == SQLITE_OK ? &files : nullptr;
  }();
  return kRegistered;
}

}  // namespace

Result<store::Database> open_checked(const std::string& path, store::Database::Access access) {
  if (checked_file_system() == nullptr) return fail(Errc::no_resources, "no memory");
  return store::Database::open(path, access, kFileSystemName);
}

void begin_checksums(store::Database& database) {
  int bytes = kChecksumBytes;
  sqlite3_file_control(database.get(), "main", SQLITE_FCNTL_RESERVE_BYTES, &bytes);
}

bool has_checksums(const store::Database& database) {
  bool has = false;
  sqlite3_file_control(database.get(), "main", kAskForChecksums, &has);
  return has;
}

}  // namespace gossamer::index
