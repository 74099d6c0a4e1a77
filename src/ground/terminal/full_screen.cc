#include "terminal/full_screen.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <string_view>

#include "terminal/live_lines.h"

namespace gossamer::terminal {
namespace {

// Switches to the alternate screen without a cursor, and back.
constexpr std::string_view kEnter = "\x1b[?1049h\x1b[?25l";
constexpr std::string_view kLeave = "\x1b[?25h\x1b[?1049l";

void write_to_terminal(std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = ::write(STDOUT_FILENO, text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return;  // the terminal is gone
    text.remove_prefix(static_cast<std::size_t>(written));
  }
}

}  // namespace

bool FullScreen::is_possible() {
  return LiveLines::can_be_on(STDOUT_FILENO) && isatty(STDIN_FILENO) == 1;
}

FullScreen::FullScreen() {
  const char* const no_color = std::getenv("NO_COLOR");
  has_color_ = no_color == nullptr || *no_color == '\0';
  tcgetattr(STDIN_FILENO, &before_);
  termios raw = before_;
  raw.c_lflag &= ~static_cast<tcflag_t>(ICANON | ECHO);
  raw.c_cc[VMIN] = 1;
  raw.c_cc[VTIME] = 0;
  tcsetattr(STDIN_FILENO, TCSAFLUSH, &raw);
  write_to_terminal(kEnter);
}

FullScreen::~FullScreen() {
  write_to_terminal(kLeave);
  tcsetattr(STDIN_FILENO, TCSAFLUSH, &before_);
}

Screen FullScreen::screen() const {
  winsize size = {};
  Screen screen = {.has_color = has_color_};
  if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 && size.ws_row > 0) {
    screen.columns = size.ws_col;
    screen.rows = size.ws_row;
  }
  // The last column stays free: some terminals begin a new line after text in it.
  screen.columns = std::max<std::size_t>(screen.columns, 2) - 1;
  return screen;
}

void FullScreen::draw(const std::vector<ScreenLine>& lines) const {
  std::string text = "\x1b[H";
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (i > 0) text += "\r\n";
    text.append(lines[i].text).append("\x1b[K");
  }
  write_to_terminal(text + "\x1b[J");
}

std::string FullScreen::read_keys() {
  std::array<char, 256> keys = {};
  const ssize_t count = read(STDIN_FILENO, keys.data(), keys.size());
  return std::string(keys.data(), static_cast<std::size_t>(std::max<ssize_t>(count, 0)));
}

int FullScreen::key_descriptor() { return STDIN_FILENO; }

}  // namespace gossamer::terminal
