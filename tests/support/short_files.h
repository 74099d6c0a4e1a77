// For tests of a full disk.
#pragma once

#include <sys/resource.h>

#include <csignal>

namespace gossamer::support {

// While it lives, no file of this process can become longer.
class ShortFiles {
 public:
  explicit ShortFiles(rlim_t bytes_max) : handler_before_(std::signal(SIGXFSZ, SIG_IGN)) {
    getrlimit(RLIMIT_FSIZE, &before_);
    const rlimit limit = {.rlim_cur = bytes_max, .rlim_max = before_.rlim_max};
    setrlimit(RLIMIT_FSIZE, &limit);
  }
  ~ShortFiles() {
    setrlimit(RLIMIT_FSIZE, &before_);
    std::signal(SIGXFSZ, handler_before_);
  }
  ShortFiles(const ShortFiles&) = delete;
  ShortFiles& operator=(const ShortFiles&) = delete;

 private:
  rlimit before_ = {};
  void (*handler_before_)(int);
};

}  // namespace gossamer::support
