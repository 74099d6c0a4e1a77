#include "report/phrases.h"

#include <fmt/format.h>

#include <cstddef>

namespace gossamer::report {

std::string_view name(crawler::EndReason end) noexcept {
  switch (end) {
    case crawler::EndReason::finished: return "finished";
    case crawler::EndReason::incomplete: return "incomplete";
    case crawler::EndReason::page_limit: return "page_limit";
    case crawler::EndReason::quota: return "quota";
    case crawler::EndReason::time_limit: return "time_limit";
    case crawler::EndReason::memory_limit: return "memory_limit";
    case crawler::EndReason::interrupted: return "interrupted";
    case crawler::EndReason::aborted: return "aborted";
    case crawler::EndReason::sink_failed: return "sink_failed";
    case crawler::EndReason::failed: return "failed";
    case crawler::EndReason::cluster_failed: return "cluster_failed";
  }
  return "";
}

crawler::EndReason end_named(std::string_view wanted) noexcept {
  for (std::uint8_t i = 0; !name(crawler::EndReason{i}).empty(); ++i) {
    if (name(crawler::EndReason{i}) == wanted) return crawler::EndReason{i};
  }
  return crawler::EndReason::interrupted;
}

std::string_view describe(crawler::EndReason end) noexcept {
  switch (end) {
    case crawler::EndReason::finished: return "every URL in scope was fetched";
    case crawler::EndReason::incomplete: return "incomplete: some hosts were unreachable";
    case crawler::EndReason::page_limit: return "ended by `limit`";
    case crawler::EndReason::quota: return "ended by `quota`";
    case crawler::EndReason::time_limit: return "ended by `max-time`";
    case crawler::EndReason::memory_limit:
      return "stopped: it found more hosts than its memory has room for; use a larger `memory`, a "
             "narrower `scope` or a lower `max-hosts-per-domain`";
    case crawler::EndReason::interrupted: return "interrupted";
    case crawler::EndReason::aborted: return "interrupted twice: unfinished fetches were dropped";
    case crawler::EndReason::sink_failed: return "ended because results could not be written";
    case crawler::EndReason::failed: return "ended because of an error";
    case crawler::EndReason::cluster_failed: return "ended because the shared crawl failed";
  }
  return "";
}

std::uint64_t guessed_skips(const crawler::Statistics& statistics) noexcept {
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i < statistics.skipped.size(); ++i) {
    if (is_guess(static_cast<crawler::SkipReason>(i))) sum += statistics.skipped[i];
  }
  return sum;
}

std::string describe(crawler::EndReason end, const crawler::Statistics& statistics) {
  const std::uint64_t guessed = guessed_skips(statistics);
  if (guessed == 0) return std::string(describe(end));
  const bool is_finished = end == crawler::EndReason::finished;
  std::string text = fmt::format(
      "{}guesses skipped {}", is_finished ? "finished, but " : fmt::format("{}; ", describe(end)),
      counted(guessed, "URL"));
  std::string_view separator = ": ";
  for (std::size_t i = 0; i < statistics.skipped.size(); ++i) {
    const auto reason = static_cast<crawler::SkipReason>(i);
    if (statistics.skipped[i] == 0 || !is_guess(reason)) continue;
    text +=
        fmt::format("{}{} {}", separator, grouped(statistics.skipped[i]), crawler::name(reason));
    const std::string_view setting = setting_against(reason);
    if (!setting.empty()) text += fmt::format(" (see {})", setting);
    separator = ", ";
  }
  return text;
}

std::string scripts_text(const crawler::Statistics& statistics) {
  if (!statistics.has_rendering()) {
    const std::uint64_t count = statistics.needs_scripts;
    return count == 0 ? std::string()
                      : fmt::format("{} little or nothing without scripts (see `render`)",
                                    count == 1 ? "1 page shows" : grouped(count) + " pages show");
  }
  std::string text =
      fmt::format("rendered {} of {}; {} gained links or text", grouped(statistics.rendered),
                  counted(statistics.pages, "URL"), grouped(statistics.rendered_gained));
  for (const auto& [error, times] : statistics.by_rendering_error) {
    text += fmt::format("; {} could not be rendered ({})", grouped(times), error);
  }
  return text;
}

}  // namespace gossamer::report
