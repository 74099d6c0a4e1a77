#include "store/kill_point.h"

#include <signal.h>

#include <atomic>
#include <charconv>
#include <cstdint>
#include <cstdlib>
#include <string>

namespace gossamer::store {
namespace {

struct Wanted {
  std::string name;
  std::uint64_t times = 1;
};

Wanted wanted_by_environment() {
  const char* const text = std::getenv("GOSSAMER_KILL_AT");
  if (text == nullptr) return {};
  const std::string_view given = text;
  const std::size_t colon = given.rfind(':');
  Wanted wanted = {.name = std::string(given.substr(0, colon))};
  if (colon != std::string_view::npos) {
    std::from_chars(given.data() + colon + 1, given.data() + given.size(), wanted.times);
  }
  return wanted;
}

}  // namespace

void pass_kill_point(std::string_view name) noexcept {
  static const Wanted wanted = wanted_by_environment();
  static std::atomic<std::uint64_t> passed = 0;
  if (wanted.name.empty() || wanted.name != name) return;
  if (++passed == wanted.times) raise(SIGKILL);
}

}  // namespace gossamer::store
