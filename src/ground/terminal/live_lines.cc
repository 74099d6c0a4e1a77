#include "terminal/live_lines.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <string_view>
#include <utility>

namespace gossamer::terminal {
namespace {

std::string_view environment(const char* name) {
  const char* const value = std::getenv(name);
  return value == nullptr ? std::string_view() : value;
}

std::size_t columns_of(int descriptor) {
  winsize size = {};
  if (ioctl(descriptor, TIOCGWINSZ, &size) != 0 || size.ws_col == 0) return 80;
  return size.ws_col;
}

}  // namespace

bool LiveLines::can_be_on(int descriptor) {
  const std::string_view terminal = environment("TERM");
  return isatty(descriptor) == 1 && !terminal.empty() && terminal != "dumb";
}

LiveLines::LiveLines(int descriptor)
    : descriptor_(descriptor), has_color_(environment("NO_COLOR").empty()) {}

LiveLines::~LiveLines() { hide(); }

// The last column stays free: some terminals begin a new line after text in it.
Screen LiveLines::screen() const {
  return {.columns = std::max<std::size_t>(columns_of(descriptor_), 2) - 1,
          .has_color = has_color_};
}

// Lines take several rows if the terminal became narrower after they were drawn.
std::string LiveLines::to_first_line() const {
  const std::size_t columns = std::max<std::size_t>(columns_of(descriptor_), 1);
  std::size_t rows = 0;
  for (const ScreenLine& line : lines_)
    rows += (std::max<std::size_t>(line.columns, 1) - 1) / columns + 1;
  return rows > 1 ? "\r\x1b[" + std::to_string(rows - 1) + "A" : "\r";
}

// Writes everything with one call, so that no partial frame is visible.
void LiveLines::write(const std::string& text) const {
  std::string_view rest = text;
  while (!rest.empty()) {
    const ssize_t written = ::write(descriptor_, rest.data(), rest.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return;  // the terminal is gone
    rest.remove_prefix(static_cast<std::size_t>(written));
  }
}

void LiveLines::write_lines(std::string text) {
  for (std::size_t i = 0; i < lines_.size(); ++i) {
    if (i > 0) text += "\r\n";
    text.append(lines_[i].text).append("\x1b[K");
  }
  write(text + "\x1b[J");
  is_drawn_ = true;
}

void LiveLines::draw(std::vector<ScreenLine> lines) {
  const std::scoped_lock lock(mutex_);
  if (hidden_ > 0 || lines.empty()) {
    lines_ = std::move(lines);
    return;
  }
  std::string begin = is_drawn_ ? to_first_line() : "";
  lines_ = std::move(lines);
  write_lines(std::move(begin));
}

void LiveLines::hide() {
  const std::scoped_lock lock(mutex_);
  if (hidden_++ > 0 || !is_drawn_) return;
  write(to_first_line() + "\x1b[J");
  is_drawn_ = false;
}

void LiveLines::show() {
  const std::scoped_lock lock(mutex_);
  if (--hidden_ == 0 && !lines_.empty()) write_lines({});
}

}  // namespace gossamer::terminal
