#include "terminal/line_output.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <climits>
#include <cstring>
#include <utility>

#include "async/descriptor.h"
#include "async/timeout.h"
#include "base/time.h"

namespace gossamer::terminal {
namespace {

// Lines wait this long, so that several are written together.
constexpr Duration kPatience = 50ms;

bool is_regular_file(int descriptor) {
  struct stat status = {};
  return fstat(descriptor, &status) == 0 && S_ISREG(status.st_mode);
}

bool is_writable(int descriptor) {
  pollfd asked = {.fd = descriptor, .events = POLLOUT, .revents = 0};
  return poll(&asked, 1, 0) > 0;
}

// BORROWS: the event.
async::Task<Result<void>> wait_for(async::Event& event) { co_return co_await event.wait(); }

}  // namespace

LineOutput::LineOutput(int descriptor, bool is_own)
    : descriptor_(descriptor), is_own_(is_own), is_file_(is_regular_file(descriptor)) {
  has_room_.set();
}

LineOutput::~LineOutput() {
  if (is_own_) close(descriptor_);
}

Result<std::unique_ptr<LineOutput>> LineOutput::open(const std::string& path) {
  int descriptor = STDOUT_FILENO;
  const bool is_own = !path.empty() && path != "-";
  if (is_own) descriptor = ::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (descriptor < 0) {
    return fail(Errc::io_failed, "cannot write " + path + ": " + std::strerror(errno));
  }
  return std::unique_ptr<LineOutput>(new LineOutput(descriptor, is_own));
}

bool LineOutput::is_terminal() const { return isatty(descriptor_) == 1; }

void LineOutput::add(std::string_view line) {
  if (failure_ || has_ended_.is_set()) return;  // it would never be written
  collected_.append(line).push_back('\n');
  has_lines_.set();
  if (collected_.size() < kCollectedMax) return;
  has_room_.clear();
  is_urgent_.set();
}

async::Task<Result<void>> LineOutput::room() {
  if (!failure_ && !has_room_.is_set()) {
    if (auto waited = co_await has_room_.wait(); !waited) co_return waited;
  }
  if (failure_) co_return fail(failure_->copy());
  co_return {};
}

async::Task<Result<void>> LineOutput::run() {
  Result<void> written = {};
  while (written && !(is_finishing_ && collected_.empty())) {
    if (!is_finishing_) {
      written = co_await has_lines_.wait();
      if (!written) break;
      // Either the time is up or much is collected: write now.
      static_cast<void>(co_await async::with_timeout(kPatience, wait_for(is_urgent_)));
    }
    const std::string lines = std::exchange(collected_, {});
    has_lines_.clear();
    if (!is_finishing_) is_urgent_.clear();
    has_room_.set();
    if (before_writing_) before_writing_();
    written = co_await write(lines);
    if (after_writing_) after_writing_();
  }
  if (!written && written.error() != Errc::cancelled) fail_with(std::move(written).error());
  has_ended_.set();
  has_room_.set();
  co_return {};
}

void LineOutput::fail_with(Error error) {
  failure_ = std::move(error);
  collected_.clear();
  if (on_failure_) std::exchange(on_failure_, {})();
}

async::Task<Result<void>> LineOutput::finish() {
  is_finishing_ = true;
  has_lines_.set();
  is_urgent_.set();
  if (auto waited = co_await has_ended_.wait(); !waited) co_return waited;
  if (failure_) co_return fail(failure_->copy());
  co_return {};
}

async::Task<Result<void>> LineOutput::write(std::string_view text) {
  while (!text.empty()) {
    if (!is_file_ && !is_writable(descriptor_)) {
      auto ready = co_await async::readiness(descriptor_, async::Readiness::writable);
      if (!ready) co_return fail(std::move(ready).error());
    }
    const auto written = write_some(text);
    if (!written) co_return fail(written.error().copy());
    text.remove_prefix(*written);
  }
  co_return {};
}

// A descriptor that poll() reports as writable takes PIPE_BUF bytes without waiting.
Result<std::size_t> LineOutput::write_some(std::string_view text) const {
  if (!is_file_) text = text.substr(0, PIPE_BUF);
  const ssize_t written = ::write(descriptor_, text.data(), text.size());
  if (written >= 0) return static_cast<std::size_t>(written);
  if (errno == EINTR || errno == EAGAIN) return std::size_t{0};
  return fail(Errc::io_failed, std::string("cannot write results: ") + std::strerror(errno));
}

}  // namespace gossamer::terminal
