#include "cli/sim_command.h"

#include <cstdint>
#include <cstdio>

#include "cli/command.h"
#include "cli/number.h"
#include "sim/chat.h"
#include "sim/world.h"

namespace gossamer::cli {

namespace {

struct SimArguments {
  std::uint64_t seed = 1;
  std::uint64_t runs = 1;
};

// An empty message: all is well.
std::string parse(const std::vector<std::string>& words, SimArguments& arguments) {
  if (words.empty() || words[0] != "chat") return "say what to run; there is: chat";
  for (std::size_t i = 1; i < words.size(); i += 2) {
    std::uint64_t* const target = words[i] == "--seed"   ? &arguments.seed
                                  : words[i] == "--runs" ? &arguments.runs
                                                         : nullptr;
    if (target == nullptr) return "there is no '" + words[i] + "'; there are --seed and --runs";
    if (i + 1 == words.size() || !parse_number(words[i + 1], *target)) {
      return words[i] + " takes a number";
    }
  }
  return {};
}

}  // namespace

int run_sim_command(const std::vector<std::string>& words) {
  SimArguments arguments;
  const std::string mistake = parse(words, arguments);
  if (!mistake.empty()) return usage_error("sim", mistake);

  std::uint64_t wrong = 0;
  for (std::uint64_t i = 0; i < arguments.runs; ++i) {
    const std::uint64_t seed = arguments.seed + i;
    const sim::ChatReport report = sim::run_chat(seed);
    const bool is_wrong = !report.problems.empty();
    wrong += is_wrong ? 1 : 0;
    if (arguments.runs == 1) std::fputs(sim::describe(sim::draw_options(seed)).c_str(), stdout);
    if (arguments.runs == 1 || is_wrong) std::fputs(sim::describe(report).c_str(), stdout);
  }
  if (arguments.runs > 1) {
    std::printf("%llu runs, %llu wrong\n", static_cast<unsigned long long>(arguments.runs),
                static_cast<unsigned long long>(wrong));
  }
  return wrong == 0 ? kOk : kFailed;
}

}  // namespace gossamer::cli
