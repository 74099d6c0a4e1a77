#include "bindings/python/log.h"

#include <cstddef>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/log.h"

namespace gossamer::python {
namespace {

class LogQueue final : public base::LogSink {
 public:
  // BOUND: further lines are dropped.
  static constexpr std::size_t kLinesMax = 1000;
  using Line = std::pair<base::LogLevel, std::string>;

  void write(base::LogLevel level, std::string_view line) noexcept override {
    const std::scoped_lock lock(mutex_);
    if (lines_.size() < kLinesMax) lines_.emplace_back(level, line);
  }
  bool has_lines() {
    const std::scoped_lock lock(mutex_);
    return !lines_.empty();
  }
  std::vector<Line> take() {
    const std::scoped_lock lock(mutex_);
    return std::exchange(lines_, {});
  }
  std::mutex& mutex() noexcept { return mutex_; }

 private:
  std::mutex mutex_;
  std::vector<Line> lines_;
};

// It is never destroyed: a thread may log while the process exits.
LogQueue& log_queue() {
  static LogQueue* const queue = new LogQueue;
  return *queue;
}

}  // namespace

void collect_log() {
  base::set_log_level(base::LogLevel::warn);
  base::set_log_sink(&log_queue());
}

void lock_log_queue() { log_queue().mutex().lock(); }
void unlock_log_queue() { log_queue().mutex().unlock(); }

bool has_log_lines() { return log_queue().has_lines(); }

namespace {

PyObject* list_lines() {
  Ref list(PyList_New(0));
  for (const LogQueue::Line& line : log_queue().take()) {
    const Ref level(to_str(base::name(line.first)));
    const Ref text(to_str(line.second));
    if (!list || !level || !text) return nullptr;
    const Ref one(PyTuple_Pack(2, level.get(), text.get()));
    if (!one || PyList_Append(list.get(), one.get()) != 0) return nullptr;
  }
  return list.release();
}

}  // namespace

PyObject* take_log(PyObject*, PyObject*) { return guarded(list_lines); }

}  // namespace gossamer::python
