// chat [SEED]: a chat of many clients in the simulated world of a seed, and whether all went well.
#include <charconv>
#include <cstdint>
#include <cstdio>
#include <string>
#include <string_view>

#include "examples/chat/chat.h"
#include "tests/simulated/world.h"

int main(int count, char** words) {
  using namespace gossamer;
  const std::string_view text = count > 1 ? words[1] : "1";
  std::uint64_t seed = 0;
  const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), seed);
  if (count > 2 || error != std::errc() || stop != text.data() + text.size()) {
    std::fputs("usage: chat [SEED]\n", stderr);
    return 2;
  }
  const sim::ChatReport report = sim::run_chat(seed);
  const std::string lines = sim::describe(sim::draw_options(seed)) + sim::describe(report);
  std::fputs(lines.c_str(), stdout);
  return report.problems.empty() ? 0 : 1;
}
