#include "display/top_screen.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <limits>

#include "base/figures.h"
#include "display/progress_text.h"

namespace gossamer::display {
namespace {

constexpr Duration kOfLate = 3s;
constexpr std::size_t kTopNarrow = 50;  // columns; with fewer, some are left out
constexpr std::size_t kUrlBytesMax = 2000;
constexpr std::size_t kTopErrorsShown = 4;
constexpr std::string_view kKeys =
    "p pause  r resume  + - concurrency  b block host  a add URL  s stop  q quit";

// The bytes of a word that a crawl sends: its version, the stage of a fetch.
constexpr std::size_t kWordMax = 60;

constexpr std::string_view kUp = "\x1b[A";
constexpr std::string_view kDown = "\x1b[B";
constexpr std::string_view kEscape = "\x1b";

// Returns the first key that a terminal sent: an escape sequence or a byte.
std::string_view first_key(std::string_view bytes) {
  if (!bytes.starts_with("\x1b[") && !bytes.starts_with("\x1bO")) return bytes.substr(0, 1);
  std::size_t end = 2;
  while (end < bytes.size() && (bytes[end] < '@' || bytes[end] > '~')) ++end;
  return bytes.substr(0, end + 1);
}

std::string age_text(Duration age) {
  if (age >= 60s) return terminal::clock(age);
  return fmt::format("{:.1f} s", std::chrono::duration<double>(age).count());
}

std::uint64_t per_second(std::uint64_t pages, Duration time) {
  const auto milliseconds = static_cast<std::uint64_t>(std::max(time / 1ms, Duration::rep{0}));
  return milliseconds == 0 ? 0 : pages * 1000 / milliseconds;
}

std::string_view color_of_state(std::string_view state) {
  return state == "running" ? terminal::kGreen : terminal::kYellow;
}

void add_row(terminal::LineMaker& line, const run::FetchLine& fetch, std::string_view mark,
             std::string_view color) {
  line.add(fmt::format("{}{:>8}  ", mark, age_text(fetch.age)), color);
  if (line.columns_left() + 10 > kTopNarrow) {
    line.add(fmt::format("{:>9}  ", base::byte_count(fetch.bytes)), color);
  }
  line.add(fmt::format("{:<10}  ", terminal::plain_text(fetch.stage, kWordMax)), color);
  line.add(terminal::plain_text(fetch.url), color);
}

terminal::ScreenLine top_pages_line(const run::CrawlProgress& status,
                                    std::optional<std::uint64_t> rate, terminal::LineMaker line) {
  line.add(base::grouped(status.pages), terminal::kBold);
  if (status.pages_in_all) line.add(fmt::format(" of {}", base::grouped(*status.pages_in_all)));
  line.add(status.pages == 1 ? " URL" : " URLs");
  if (rate) line.add("  ").add(base::grouped(*rate), terminal::kBold).add("/s");
  line.add(
      fmt::format("  {}/s overall", base::grouped(per_second(status.pages, status.since_start))),
      rate ? terminal::kDim : std::string_view());
  line.add("  ")
      .add(base::byte_count(status.wire_bytes))
      .add("  ")
      .add(terminal::clock(status.since_start), terminal::kDim);
  return line.take();
}

terminal::ScreenLine top_work_line(const run::CrawlProgress& status, terminal::LineMaker line) {
  line.add(base::grouped(status.in_flight)).add(" in flight of ", terminal::kDim);
  line.add(base::grouped(status.concurrency)).add("  ");
  line.add(base::grouped(status.waiting)).add(" waiting  ", terminal::kDim);
  line.add(base::grouped(status.hosts)).add(status.hosts == 1 ? " host" : " hosts", terminal::kDim);
  line.add("  rate ", terminal::kDim).add(run::rate_text(status.global_gap));
  line.add("  delay ", terminal::kDim).add(run::delay_text(status.delay));
  if (status.connections > 0) {
    line.add("  connections ", terminal::kDim).add(base::grouped(status.connections));
  }
  if (status.http2_connections > 0) {
    line.add(fmt::format(" ({} HTTP/2, {})", base::grouped(status.http2_connections),
                         base::counted(status.streams, "stream")));
  }
  if (status.threads > 1) line.add("  loops ", terminal::kDim).add(base::grouped(status.threads));
  return line.take();
}

terminal::ScreenLine top_errors_line(const run::CrawlProgress& status, terminal::LineMaker line) {
  std::vector<std::pair<std::uint64_t, std::string>> causes;
  for (const auto& [cause, count] : status.errors)
    causes.emplace_back(count, terminal::plain_text(cause, kWordMax));
  std::ranges::sort(causes, std::greater());
  line.add("errors  ", terminal::kDim);
  for (std::size_t i = 0; i < std::min(causes.size(), kTopErrorsShown); ++i) {
    line.add(base::grouped(causes[i].first), terminal::kRed)
        .add(fmt::format(" {}  ", causes[i].second));
  }
  return line.take();
}

terminal::ScreenLine top_pauses_line(const run::CrawlProgress& status, terminal::LineMaker line) {
  line.add("waiting  ", terminal::kDim);
  for (const run::CrawlProgress::Pause& pause : status.pauses) {
    line.add(shown_host(pause.host) + " ", terminal::kYellow);
    line.add(why_paused(pause.is_silent, pause.is_refusing, pause.left) + "  ");
  }
  return line.take();
}

}  // namespace

void TopScreen::update(run::CrawlProgress status, run::FetchList fetches) {
  pages_.emplace_back(status.since_start, status.pages);
  while (pages_.size() > 2 && status.since_start - pages_.front().first > kOfLate) {
    pages_.pop_front();
  }
  status_ = std::move(status);
  fetches_ = std::move(fetches);
}

std::uint64_t TopScreen::rate() const {
  if (pages_.size() < 2) return 0;
  return per_second(pages_.back().second - pages_.front().second,
                    pages_.back().first - pages_.front().first);
}

// --- keys

std::vector<run::ControlRequest> TopScreen::press(std::string_view bytes) {
  std::vector<run::ControlRequest> requests;
  while (!bytes.empty() && !is_left_) {
    const std::string_view key = first_key(bytes);
    bytes.remove_prefix(key.size());
    note_.clear();
    if (auto request = press_one(key)) requests.push_back(std::move(*request));
  }
  return requests;
}

std::optional<run::ControlRequest> TopScreen::press_one(std::string_view key) {
  if (mode_ == Mode::typing) return type(key);
  if (mode_ == Mode::browsing) return browse(key);
  mode_ = Mode::browsing;
  if (key == "y" || key == "Y") return std::move(question_);
  return std::nullopt;
}

std::optional<run::ControlRequest> TopScreen::browse(std::string_view key) {
  using Kind = run::ControlRequest::Kind;
  if (key == "q") is_left_ = true;
  if (key == "p") return run::ControlRequest{.kind = Kind::pause};
  if (key == "r") return run::ControlRequest{.kind = Kind::resume};
  if (key == "+" || key == "-") return with_concurrency(key == "+");
  if (key == kUp || key == "k") move_selection(-1);
  if (key == kDown || key == "j") move_selection(1);
  if (key == "s") ask({.kind = Kind::stop});
  if (key == "b" && !fetches_.fetches.empty()) {
    ask({.kind = Kind::block, .text = fetches_.fetches[selected()].host});
  }
  if (key == "a") {
    typed_.clear();
    mode_ = Mode::typing;
  }
  return std::nullopt;
}

std::optional<run::ControlRequest> TopScreen::type(std::string_view key) {
  if (key == kEscape) mode_ = Mode::browsing;
  if (key == "\r" || key == "\n") {
    mode_ = Mode::browsing;
    if (typed_.empty()) return std::nullopt;
    return run::ControlRequest{.kind = run::ControlRequest::Kind::add, .text = std::move(typed_)};
  }
  if ((key == "\x7f" || key == "\b") && !typed_.empty()) typed_.pop_back();
  const bool is_letter =
      key.size() == 1 && static_cast<unsigned char>(key[0]) > ' ' && key[0] != '\x7f';
  if (is_letter && typed_.size() < kUrlBytesMax) typed_ += key;
  return std::nullopt;
}

void TopScreen::ask(run::ControlRequest question) {
  question_ = std::move(question);
  mode_ = Mode::asking;
}

run::ControlRequest TopScreen::with_concurrency(bool is_more) {
  const std::uint64_t now = std::max<std::uint64_t>(status_.concurrency, 1);
  const std::uint64_t step = std::max<std::uint64_t>(1, now / 8);
  const std::uint64_t wanted = is_more ? now + step : now - std::min(step, now - 1);
  // The next key starts from this value, even before the crawl confirms it.
  status_.concurrency = std::min<std::uint64_t>(wanted, run::kConcurrencyMax);
  return {.kind = run::ControlRequest::Kind::concurrency,
          .number = static_cast<std::uint32_t>(status_.concurrency)};
}

std::size_t TopScreen::selected() const {
  const auto found = std::ranges::find(fetches_.fetches, chosen_url_, &run::FetchLine::url);
  if (found != fetches_.fetches.end() && !chosen_url_.empty()) {
    return static_cast<std::size_t>(found - fetches_.fetches.begin());
  }
  return std::min(chosen_place_, fetches_.fetches.size() - 1);
}

void TopScreen::move_selection(std::ptrdiff_t by) {
  if (fetches_.fetches.empty()) return;
  const auto last = static_cast<std::ptrdiff_t>(fetches_.fetches.size()) - 1;
  const auto place =
      std::clamp<std::ptrdiff_t>(static_cast<std::ptrdiff_t>(selected()) + by, 0, last);
  chosen_place_ = static_cast<std::size_t>(place);
  // In the first row the selection stays on the oldest fetch.
  chosen_url_ = place == 0 ? std::string() : fetches_.fetches[chosen_place_].url;
}

// --- lines

void TopScreen::add_status(std::vector<terminal::ScreenLine>& lines,
                           const terminal::LineMaker& line) const {
  terminal::LineMaker title = line;
  title.add("gossamer top  ", terminal::kDim)
      .add(terminal::plain_text(status_.state, kWordMax), color_of_state(status_.state));
  title.add(fmt::format("  {}  process {}", terminal::plain_text(status_.version, kWordMax),
                        status_.process),
            terminal::kDim);
  lines.push_back(title.take());
  lines.push_back(top_pages_line(status_, rate(), line));
  lines.push_back(top_work_line(status_, line));
  if (!status_.errors.empty()) lines.push_back(top_errors_line(status_, line));
  if (!status_.pauses.empty()) lines.push_back(top_pauses_line(status_, line));
}

void TopScreen::add_fetches(std::vector<terminal::ScreenLine>& lines,
                            const terminal::Screen& screen, std::size_t count) const {
  const std::size_t chosen = fetches_.fetches.empty() ? 0 : selected();
  // The selected fetch is always visible.
  const std::size_t begin = chosen < count ? 0 : chosen - count + 1;
  const std::size_t end = std::min(begin + count, fetches_.fetches.size());
  for (std::size_t i = begin; i < end; ++i) {
    terminal::LineMaker line(screen);
    const bool is_chosen = i == chosen;
    add_row(line, fetches_.fetches[i], is_chosen ? "> " : "  ",
            is_chosen ? terminal::kReverse : std::string_view());
    lines.push_back(line.take());
  }
}

std::vector<terminal::ScreenLine> TopScreen::stack_lines(const terminal::LineMaker& line,
                                                         std::size_t count) const {
  std::vector<terminal::ScreenLine> lines;
  if (fetches_.fetches.empty()) return lines;
  for (const std::string& text : fetches_.fetches[selected()].stack) {
    if (lines.size() == count) break;
    lines.push_back(
        terminal::LineMaker(line).add("  ").add(terminal::plain_text(text), terminal::kDim).take());
  }
  return lines;
}

terminal::ScreenLine TopScreen::last_line(terminal::LineMaker line) const {
  if (mode_ == Mode::typing)
    return line.add("add URL: ", terminal::kBold).add(terminal::plain_text(typed_)).take();
  if (mode_ == Mode::asking) {
    const bool is_stop = question_.kind == run::ControlRequest::Kind::stop;
    line.add(is_stop ? "stop the crawl?" : "block " + terminal::plain_text(question_.text) + "?",
             terminal::kYellow);
    return line.add(" y yes, any other key no").take();
  }
  if (!note_.empty()) return line.add(terminal::plain_text(note_), terminal::kYellow).take();
  return line.add(kKeys, terminal::kDim).take();
}

std::vector<terminal::ScreenLine> TopScreen::lines(const terminal::Screen& screen) const {
  const terminal::LineMaker line(screen);
  std::vector<terminal::ScreenLine> lines;
  add_status(lines, line);
  const std::size_t rows = std::max<std::size_t>(screen.rows, 2);
  const std::size_t used = lines.size() + 2;  // including the heading and the last line
  const std::size_t room = rows > used ? rows - used : 0;
  const std::vector<terminal::ScreenLine> stack = stack_lines(line, room / 2);
  const std::size_t shown = std::min(room - stack.size(), fetches_.fetches.size());
  if (room > 0) {
    lines.push_back(terminal::LineMaker(line)
                        .add(fmt::format("       age{}  stage       url",
                                         screen.columns + 1 > kTopNarrow ? "      bytes" : ""),
                             terminal::kDim)
                        .take());
    add_fetches(lines, screen, shown);
    lines.resize(used - 1 + room - stack.size());
    lines.insert(lines.end(), stack.begin(), stack.end());
  }
  lines.resize(rows - 1);
  lines.push_back(last_line(line));
  return lines;
}

std::string to_text(const run::CrawlProgress& status, const run::FetchList& fetches,
                    bool has_stacks) {
  const terminal::Screen screen = {.columns = std::numeric_limits<std::size_t>::max()};
  const terminal::LineMaker line(screen);
  std::string text = terminal::plain_text(status.state, kWordMax) + "\n";
  text += top_pages_line(status, std::nullopt, line).text + "\n";
  text += top_work_line(status, line).text + "\n";
  if (!status.errors.empty()) text += top_errors_line(status, line).text + "\n";
  if (!status.pauses.empty()) text += top_pauses_line(status, line).text + "\n";
  for (const run::FetchLine& fetch : fetches.fetches) {
    terminal::LineMaker row(screen);
    add_row(row, fetch, "  ", {});
    text += row.take().text + "\n";
    if (!has_stacks) continue;
    for (const std::string& frame : fetch.stack)
      text += "      " + terminal::plain_text(frame) + "\n";
  }
  return text;
}

}  // namespace gossamer::display
