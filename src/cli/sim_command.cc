#include "cli/sim_command.h"

#include <cstdint>

#include "cli/arguments.h"
#include "cli/command.h"
#include "cli/standard_output.h"
#include "sim/chat.h"
#include "sim/world.h"

namespace gossamer::cli {

namespace {

struct SimArguments {
  std::uint64_t seed = 1;
  std::uint64_t runs = 1;
};

}  // namespace

int run_sim_command(const std::vector<std::string>& words) {
  if (words.empty() || words[0] != "chat") {
    return usage_error("sim", "say what to run; there is: chat");
  }
  SimArguments arguments;
  Arguments declared("sim chat", "Chat in a simulated world with faults drawn from a seed.");
  declared.option("--seed", arguments.seed, "N", "of the first world [1]");
  declared.option("--runs", arguments.runs, "N", "how many worlds [1]");
  if (const auto exit_code = declared.parse({words.begin() + 1, words.end()})) return *exit_code;

  std::uint64_t wrong = 0;
  for (std::uint64_t i = 0; i < arguments.runs; ++i) {
    const std::uint64_t seed = arguments.seed + i;
    const sim::ChatReport report = sim::run_chat(seed);
    const bool is_wrong = !report.problems.empty();
    wrong += is_wrong ? 1 : 0;
    if (arguments.runs == 1) standard_output().write(sim::describe(sim::draw_options(seed)));
    if (arguments.runs == 1 || is_wrong) standard_output().write(sim::describe(report));
  }
  if (arguments.runs > 1) {
    print_out("{} runs, {} wrong\n", arguments.runs, wrong);
  }
  return wrong == 0 ? kOk : kFailed;
}

}  // namespace gossamer::cli
