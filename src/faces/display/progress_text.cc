#include "display/progress_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <functional>
#include <utility>

#include "base/figures.h"

namespace gossamer::display {
namespace {

constexpr std::size_t kNarrow = 50;  // columns; with fewer, only the first line is shown
constexpr std::size_t kErrorsShown = 4;
constexpr std::size_t kHostColumns = 32;

std::uint64_t overall_rate(const run::CrawlProgress& progress) {
  const auto milliseconds = static_cast<std::uint64_t>(progress.since_start / 1ms);
  return milliseconds == 0 ? 0 : progress.pages * 1000 / milliseconds;
}

terminal::ScreenLine pages_line(const run::CrawlProgress& progress, terminal::LineMaker line) {
  line.add(base::grouped(progress.pages), terminal::kBold)
      .add(progress.pages == 1 ? " URL" : " URLs");
  line.add("  ").add(base::grouped(progress.pages_per_second), terminal::kBold).add("/s");
  line.add(fmt::format(" ({}/s overall)", base::grouped(overall_rate(progress))), terminal::kDim);
  line.add("  ").add(base::byte_count(progress.wire_bytes));
  line.add("  ").add(terminal::clock(progress.since_start), terminal::kDim);
  return line.take();
}

terminal::ScreenLine bar_line(const run::CrawlProgress& progress, terminal::LineMaker line) {
  const std::uint64_t all = std::max<std::uint64_t>(1, *progress.pages_in_all);
  const std::uint64_t done = std::min(progress.pages, all);
  const std::string words = fmt::format(" {:3}% of {}", done * 100 / all, base::grouped(all));
  const std::size_t room = line.columns_left();
  const std::size_t width = std::min<std::size_t>(60, room - std::min(room, words.size() + 2));
  const auto full = static_cast<std::size_t>(done * width / all);
  line.add("[").add(std::string(full, '='), terminal::kGreen);
  line.add(full < width ? ">" : "").add(std::string(full < width ? width - full - 1 : 0, ' '));
  line.add("]").add(words);
  return line.take();
}

terminal::ScreenLine work_line(const run::CrawlProgress& progress, terminal::LineMaker line) {
  line.add(base::grouped(progress.in_flight)).add(" in flight  ", terminal::kDim);
  line.add(base::grouped(progress.waiting)).add(" waiting  ", terminal::kDim);
  line.add(base::grouped(progress.hosts))
      .add(progress.hosts == 1 ? " host" : " hosts", terminal::kDim);
  if (progress.is_paused()) line.add("  paused", terminal::kYellow);
  return line.take();
}

terminal::ScreenLine errors_line(const run::CrawlProgress& progress, terminal::LineMaker line) {
  std::vector<std::pair<std::uint64_t, std::string_view>> causes;
  for (const auto& [cause, count] : progress.errors) causes.emplace_back(count, cause);
  std::ranges::sort(causes, std::greater());
  line.add("errors  ", terminal::kDim);
  for (std::size_t i = 0; i < std::min(causes.size(), kErrorsShown); ++i) {
    line.add(base::grouped(causes[i].first), terminal::kRed)
        .add(fmt::format(" {}  ", causes[i].second));
  }
  return line.take();
}

terminal::ScreenLine pauses_line(const run::CrawlProgress& progress, terminal::LineMaker line) {
  line.add("waiting  ", terminal::kDim);
  for (const run::CrawlProgress::Pause& pause : progress.pauses) {
    line.add(shown_host(pause.host) + " ", terminal::kYellow)
        .add(why_paused(pause.is_silent, pause.is_refusing, pause.left) + "  ");
  }
  return line.take();
}

terminal::ScreenLine slowest_line(const run::CrawlProgress& progress, terminal::LineMaker line) {
  line.add("slowest  ", terminal::kDim);
  for (const run::CrawlProgress::SlowHost& slow : progress.slowest) {
    line.add(shown_host(slow.host) + " ")
        .add(base::to_string(slow.took), terminal::kYellow)
        .add("  ");
  }
  return line.take();
}

}  // namespace

std::string shown_host(std::string_view name) {
  std::string host = terminal::plain_text(name);
  if (host.size() > kHostColumns) host = host.substr(0, kHostColumns - 3) + "...";
  return host;
}

std::string why_paused(bool is_silent, bool is_refusing, Duration left) {
  return fmt::format("{} {}",
                     is_silent     ? "does not answer, next attempt in"
                     : is_refusing ? "refuses requests, next attempt in"
                                   : "requested a pause of",
                     base::to_string(std::chrono::ceil<std::chrono::seconds>(left)));
}

std::string to_text(const run::CrawlProgress& progress) {
  std::string text =
      fmt::format("{}, {}/s, {}, {} in flight, {} waiting on {}",
                  base::counted(progress.pages, "URL"), base::grouped(progress.pages_per_second),
                  base::byte_count(progress.wire_bytes), base::grouped(progress.in_flight),
                  base::grouped(progress.waiting), base::counted(progress.hosts, "host"));
  for (const run::CrawlProgress::Pause& pause : progress.pauses) {
    text += fmt::format("; {} {}", shown_host(pause.host),
                        why_paused(pause.is_silent, pause.is_refusing, pause.left));
  }
  return text;
}

std::vector<terminal::ScreenLine> to_screen(const run::CrawlProgress& progress,
                                            const terminal::Screen& screen) {
  const terminal::LineMaker line(screen);
  std::vector<terminal::ScreenLine> lines = {pages_line(progress, line)};
  if (screen.columns < kNarrow) return lines;
  if (progress.pages_in_all) lines.push_back(bar_line(progress, line));
  lines.push_back(work_line(progress, line));
  if (!progress.errors.empty()) lines.push_back(errors_line(progress, line));
  if (!progress.pauses.empty()) lines.push_back(pauses_line(progress, line));
  if (!progress.slowest.empty()) lines.push_back(slowest_line(progress, line));
  return lines;
}

}  // namespace gossamer::display
