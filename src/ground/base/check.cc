#include "base/check.h"

#include <atomic>
#include <cstdlib>
#include <ctime>
#include <string>

namespace gossamer::base {
namespace {

std::atomic<CheckContextPrinter> context_printer = nullptr;

// The first thread that fails sets it. It is never cleared, because that thread aborts.
std::atomic_flag failure_owned = ATOMIC_FLAG_INIT;
thread_local bool this_thread_failed = false;

void print(const CheckSite& site, std::string_view message) noexcept {
  std::string report = site.file;
  report += ":" + std::to_string(site.line) + ": CHECK failed: " + site.expression;
  if (!message.empty()) {
    report += ": ";
    report += message;
  }
  report += '\n';
  // One call, so that the reports of two threads do not mix.
  std::fwrite(report.data(), 1, report.size(), stderr);
}

// Gives the first thread time to finish its report. The wait is bounded, because the first thread's
// printer may need a lock that this thread holds.
void wait_for_the_first_to_abort() noexcept {
  constexpr timespec kPatience = {.tv_sec = 5, .tv_nsec = 0};
  nanosleep(&kPatience, nullptr);
}

}  // namespace

CheckContextPrinter set_check_context(CheckContextPrinter printer) noexcept {
  return context_printer.exchange(printer);
}

void check_failed_with(const CheckSite& site, std::string_view message) noexcept {
  const bool failed_while_reporting = std::exchange(this_thread_failed, true);
  print(site, message);
  if (!failed_while_reporting) {
    if (failure_owned.test_and_set()) {
      wait_for_the_first_to_abort();
    } else if (const CheckContextPrinter print_context = context_printer.load()) {
      print_context(stderr);
    }
  }
  std::fflush(stderr);
  std::abort();
}

void check_failed(const CheckSite& site) noexcept { check_failed_with(site, {}); }

void check_detail::compare_failed(const CheckSite& site, Arg left, Arg right) noexcept {
  check_failed_with(site, format_message("{} against {}", {left, right}));
}

}  // namespace gossamer::base
