#include "async/operation.h"

#include <cerrno>

#include "async/blocking_file.h"
#include "async/driver.h"

namespace gossamer::async {

bool Operation::await_ready() {
  if (cancelled()) {
    result_ = -ECANCELED;
    return true;
  }
  return driver_.start(*this);
}

void Operation::cancel() noexcept { driver_.cancel(*this); }

void Operation::run() noexcept {
  if (performs_ && !driver_.perform(*this)) {
    reopen();
    if (cancelled()) request_cancel();
    return;
  }
  resume();
}

Result<std::int64_t> Operation::outcome(const char* what) const {
  if (result_ >= 0) return result_;
  if (result_ == -ECANCELED) return fail(Errc::cancelled);
  return fail(Error::from_errno(static_cast<int>(-result_), what));
}

void FileOperation::work() noexcept {
  set_result(execute_blocking(*this));
  driver().post(*this);
}

bool Driver::perform(Operation&) { return true; }

}  // namespace gossamer::async
