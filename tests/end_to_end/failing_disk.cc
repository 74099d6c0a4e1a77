// For tests: makes one change of the disk fail. A program that loads it (LD_PRELOAD) counts its
// changes of files whose path contains FAILING_PATH; the one with the number FAILING_CHANGE fails
// with the errno FAILING_ERRNO. At its end it writes how many there were to FAILING_COUNT.

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace {

std::atomic<long> changes = 0;

bool fails(const char* path) {
  const char* const part = std::getenv("FAILING_PATH");
  if (part == nullptr || std::strstr(path, part) == nullptr) return false;
  const char* const which = std::getenv("FAILING_CHANGE");
  if (++changes != (which == nullptr ? 0 : std::atol(which))) return false;
  errno = std::atoi(std::getenv("FAILING_ERRNO"));
  return true;
}

bool fails(int descriptor) {
  std::array<char, 64> link = {};
  std::array<char, 4096> path = {};
  std::snprintf(link.data(), link.size(), "/proc/self/fd/%d", descriptor);
  return readlink(link.data(), path.data(), path.size() - 1) > 0 && fails(path.data());
}

// The function of the next library.
template <class Function>
Function real(const char* name) {
  return reinterpret_cast<Function>(dlsym(RTLD_NEXT, name));
}

[[gnu::destructor]] void write_count() {
  const char* const path = std::getenv("FAILING_COUNT");
  if (path == nullptr) return;
  if (std::FILE* const file = std::fopen(path, "w")) {
    std::fprintf(file, "%ld\n", changes.load());
    std::fclose(file);
  }
}

}  // namespace

extern "C" {

ssize_t write(int file, const void* bytes, size_t size) {
  if (fails(file)) return -1;
  return real<ssize_t (*)(int, const void*, size_t)>("write")(file, bytes, size);
}
ssize_t pwrite64(int file, const void* bytes, size_t size, off64_t at) {
  if (fails(file)) return -1;
  return real<ssize_t (*)(int, const void*, size_t, off64_t)>("pwrite64")(file, bytes, size, at);
}
int fsync(int file) { return fails(file) ? -1 : real<int (*)(int)>("fsync")(file); }
int fdatasync(int file) { return fails(file) ? -1 : real<int (*)(int)>("fdatasync")(file); }
int ftruncate64(int file, off64_t size) noexcept {
  return fails(file) ? -1 : real<int (*)(int, off64_t)>("ftruncate64")(file, size);
}
int rename(const char* from, const char* to) noexcept {
  return fails(to) ? -1 : real<int (*)(const char*, const char*)>("rename")(from, to);
}
int open64(const char* path, int flags, ...) {
  va_list rest;
  va_start(rest, flags);
  const mode_t mode = (flags & O_CREAT) != 0 ? va_arg(rest, mode_t) : 0;
  va_end(rest);
  if ((flags & O_CREAT) != 0 && fails(path)) return -1;
  return real<int (*)(const char*, int, ...)>("open64")(path, flags, mode);
}
int open(const char* path, int flags, ...) {
  va_list rest;
  va_start(rest, flags);
  const mode_t mode = (flags & O_CREAT) != 0 ? va_arg(rest, mode_t) : 0;
  va_end(rest);
  if ((flags & O_CREAT) != 0 && fails(path)) return -1;
  return real<int (*)(const char*, int, ...)>("open")(path, flags, mode);
}

}  // extern "C"
