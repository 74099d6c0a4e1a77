#include "display/progress_display.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <utility>
#include <vector>

#include "async/sleep.h"
#include "base/log.h"
#include "terminal/standard_output.h"

namespace gossamer::display {
namespace {

constexpr Duration kLineEvery = 5s;
constexpr Duration kDrawEvery = 250ms;
// The rate is measured over this many drawings.
constexpr std::size_t kDrawings = 8;
constexpr std::size_t kSlowHosts = 3;

std::string_view host_and_port_in(std::string_view url) {
  const std::size_t begin = url.find("://");
  if (begin == std::string_view::npos) return {};
  url.remove_prefix(begin + 3);
  return url.substr(0, url.find('/'));
}

}  // namespace

void HostTimes::add(const crawler::FetchRecord& record) {
  ++records_;
  if (!record.status) return;
  Times& times = hosts_[std::string(host_and_port_in(record.url))];
  const Duration took = record.facts.total;
  times.took = times.heard == 0 ? took : (times.took * 3 + took) / 4;
  times.heard = records_;
  if (hosts_.size() > kHostsMax) forget_old();
}

// Forgets half of the hosts, so that it is called rarely.
void HostTimes::forget_old() {
  std::vector<std::uint64_t> heard;
  for (const auto& [host, times] : hosts_) heard.push_back(times.heard);
  const auto middle = heard.begin() + static_cast<std::ptrdiff_t>(heard.size() / 2);
  std::ranges::nth_element(heard, middle);
  std::erase_if(hosts_,
                [limit = *middle](const auto& entry) { return entry.second.heard < limit; });
}

std::vector<run::CrawlProgress::SlowHost> HostTimes::slowest(std::size_t count) const {
  std::vector<run::CrawlProgress::SlowHost> all;
  for (const auto& [host, times] : hosts_) all.push_back({host, times.took});
  const auto slower = [](const auto& a, const auto& b) {
    return std::pair(b.took, std::string_view(a.host)) <
           std::pair(a.took, std::string_view(b.host));
  };
  const std::size_t kept = std::min(count, all.size());
  std::ranges::partial_sort(all, all.begin() + static_cast<std::ptrdiff_t>(kept), slower);
  all.resize(kept);
  return all;
}

// Writes the log to stderr, above the lines.
class ProgressDisplay::LogLines final : public base::LogSink {
 public:
  explicit LogLines(terminal::LiveLines& lines) : lines_(lines) { base::set_log_sink(this); }
  ~LogLines() override { base::set_log_sink(nullptr); }

  void write(base::LogLevel, std::string_view line) noexcept override {
    lines_.hide();
    std::fwrite(line.data(), 1, line.size(), stderr);
    std::fflush(stderr);
    lines_.show();
  }

 private:
  terminal::LiveLines& lines_;
};

ProgressDisplay::ProgressDisplay(std::string_view command, Source source)
    : command_(command), source_(std::move(source)) {
  if (terminal::LiveLines::can_be_on(STDERR_FILENO))
    live_ = std::make_unique<terminal::LiveLines>(STDERR_FILENO);
}

ProgressDisplay::~ProgressDisplay() = default;

void ProgressDisplay::take_log() {
  if (live_) log_lines_ = std::make_unique<LogLines>(*live_);
}

void ProgressDisplay::hide() {
  if (live_) live_->hide();
}

void ProgressDisplay::show() {
  if (live_) live_->show();
}

async::Task<Result<void>> ProgressDisplay::run() {
  const Duration every = live_ ? kDrawEvery : kLineEvery;
  const std::size_t span = live_ ? kDrawings : 1;
  std::array<std::uint64_t, kDrawings> pages = {};  // a ring
  for (std::size_t turn = 0; co_await async::sleep(every); ++turn) {
    run::CrawlProgress progress = source_();
    const std::uint64_t before = std::exchange(pages[turn % span], progress.pages);
    const Duration since = every * static_cast<Duration::rep>(std::min(turn + 1, span));
    progress.pages_per_second =
        (progress.pages - before) * 1000 / static_cast<std::uint64_t>(since / 1ms);
    if (live_) {
      progress.slowest = times_.slowest(kSlowHosts);
      live_->draw(to_screen(progress, live_->screen()));
    } else {
      terminal::print_err("gossamer {}: {}\n", command_, to_text(progress));
    }
  }
  co_return fail(Errc::cancelled);
}

}  // namespace gossamer::display
