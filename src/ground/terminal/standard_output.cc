#include "terminal/standard_output.h"

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <cstdio>
#include <cstring>

namespace gossamer::terminal {
namespace {

constexpr std::size_t kBlockBytes = 64 * 1024;

// Waits for a descriptor that another program made non-blocking.
void wait_until_writable(int descriptor) {
  pollfd waited = {.fd = descriptor, .events = POLLOUT, .revents = 0};
  poll(&waited, 1, -1);
}

}  // namespace

StandardOutput::StandardOutput() : is_terminal_(isatty(STDOUT_FILENO) == 1) {}

bool StandardOutput::write(std::string_view text) {
  if (failure_) return false;
  collected_ += text;
  return (!is_terminal_ && collected_.size() < kBlockBytes) || flush();
}

bool StandardOutput::flush() {
  if (failure_) return false;
  const bool is_written = write_collected(collected_);
  collected_.clear();
  return is_written;
}

bool StandardOutput::write_collected(std::string_view text) {
  while (!text.empty()) {
    const ssize_t size = ::write(STDOUT_FILENO, text.data(), text.size());
    if (size >= 0) {
      text.remove_prefix(static_cast<std::size_t>(size));
    } else if (errno == EAGAIN) {
      wait_until_writable(STDOUT_FILENO);
    } else if (errno != EINTR) {
      const Errc code = errno == ENOSPC ? Errc::no_space : Errc::io_failed;
      failure_.emplace(code,
                       std::string("cannot write to standard output: ") + std::strerror(errno));
      return false;
    }
  }
  return true;
}

StandardOutput& standard_output() {
  static StandardOutput output;
  return output;
}

void write_err(std::string_view text) { std::fwrite(text.data(), 1, text.size(), stderr); }

void open_missing_streams() {
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (fcntl(stream, F_GETFD) >= 0) continue;
    // open() uses the lowest free number, which is this one. Standard output is opened read-only,
    // so that writes fail instead of being lost silently.
    open("/dev/null", stream == STDERR_FILENO ? O_WRONLY : O_RDONLY);
  }
}

}  // namespace gossamer::terminal
