#include "bench/support/options.h"

#include <fmt/format.h>

#include <cstdio>
#include <optional>

namespace gossamer::bench {

namespace {

std::optional<Options> parse(std::span<char* const> arguments) {
  constexpr std::string_view kFilter = "--filter";
  Options options;
  for (std::size_t i = 1; i < arguments.size(); ++i) {
    const std::string_view argument = arguments[i];
    if (argument == "--json") {
      options.json = true;
    } else if (argument == "--quick") {
      options.quick = true;
    } else if (argument == kFilter && i + 1 < arguments.size()) {
      options.filter = arguments[++i];
    } else if (argument.starts_with(kFilter) && argument.substr(kFilter.size()).starts_with('=')) {
      options.filter = argument.substr(kFilter.size() + 1);
    } else {
      return std::nullopt;
    }
  }
  return options;
}

void print_usage(std::string_view program, std::span<const Benchmark> benchmarks) {
  fmt::print(stderr, "usage: {} [--json] [--filter SUBSTRING] [--quick]\nbenchmarks:\n", program);
  for (const Benchmark& benchmark : benchmarks) fmt::print(stderr, "  {}\n", benchmark.name);
}

}  // namespace

int run_benchmarks(std::span<const Benchmark> benchmarks, std::span<char* const> arguments) {
  const auto options = parse(arguments);
  if (!options) {
    print_usage(arguments[0], benchmarks);
    return 2;
  }
  Report report(options->json ? Report::Form::json : Report::Form::table, !options->quick);
  bool found = false;
  for (const Benchmark& benchmark : benchmarks) {
    if (benchmark.name.find(options->filter) == std::string_view::npos) continue;
    found = true;
    benchmark.run(*options, report);
  }
  if (found) return 0;
  print_usage(arguments[0], benchmarks);
  return 2;
}

}  // namespace gossamer::bench
