#include "terminal/live_lines.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <string>

namespace gossamer::terminal {
namespace {

// A pseudo terminal; the test reads its other side.
class Terminal {
 public:
  Terminal() : ours_(posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC)) {
    EXPECT_EQ(grantpt(ours_), 0);
    EXPECT_EQ(unlockpt(ours_), 0);
    theirs_ = open(ptsname(ours_), O_RDWR | O_NOCTTY | O_CLOEXEC);
    EXPECT_GE(theirs_, 0);
    resize(80);
  }
  ~Terminal() {
    close(theirs_);
    close(ours_);
  }
  Terminal(const Terminal&) = delete;
  Terminal& operator=(const Terminal&) = delete;

  void resize(unsigned short columns) const {
    const winsize size = {.ws_row = 24, .ws_col = columns, .ws_xpixel = 0, .ws_ypixel = 0};
    EXPECT_EQ(ioctl(theirs_, TIOCSWINSZ, &size), 0);
  }
  int descriptor() const { return theirs_; }
  // Returns the text since the last call. The kernel may deliver it late, so the function writes a
  // mark and reads up to it.
  std::string seen() const {
    constexpr char kMark = '\x06';
    EXPECT_EQ(write(theirs_, &kMark, 1), 1);
    std::string all;
    for (char c = 0; read(ours_, &c, 1) == 1 && c != kMark;) all.push_back(c);
    return all;
  }

 private:
  int ours_;
  int theirs_ = -1;
};

ScreenLine line(std::string text) {
  const std::size_t columns = text.size();
  return {.text = std::move(text), .columns = columns};
}

TEST(LiveLinesTest, ReplaceThePreviousLines) {
  Terminal terminal;
  LiveLines lines(terminal.descriptor());
  lines.draw({line("one"), line("two")});
  EXPECT_EQ(terminal.seen(), "one\x1b[K\r\r\ntwo\x1b[K\x1b[J");
  lines.draw({line("three")});
  EXPECT_EQ(terminal.seen(), "\r\x1b[1Athree\x1b[K\x1b[J");
  lines.draw({line("four")});
  EXPECT_EQ(terminal.seen(), "\rfour\x1b[K\x1b[J");
}

TEST(LiveLinesTest, HideAndShow) {
  Terminal terminal;
  LiveLines lines(terminal.descriptor());
  lines.draw({line("one"), line("two")});
  terminal.seen();
  lines.hide();
  EXPECT_EQ(terminal.seen(), "\r\x1b[1A\x1b[J");
  lines.hide();
  lines.draw({line("three")});
  lines.show();
  EXPECT_EQ(terminal.seen(), "") << "other code still writes";
  lines.show();
  EXPECT_EQ(terminal.seen(), "three\x1b[K\x1b[J");
}

TEST(LiveLinesTest, AreRemovedAfterTheTerminalBecameNarrower) {
  Terminal terminal;
  LiveLines lines(terminal.descriptor());
  lines.draw({line(std::string(60, 'a')), line("b")});
  terminal.seen();
  terminal.resize(25);  // the first line takes three rows now
  EXPECT_EQ(lines.screen().columns, 24u);
  lines.hide();
  EXPECT_EQ(terminal.seen(), "\r\x1b[3A\x1b[J");
}

TEST(LiveLinesTest, AreRemovedAtTheEnd) {
  Terminal terminal;
  {
    LiveLines lines(terminal.descriptor());
    lines.draw({line("one")});
    terminal.seen();
  }
  EXPECT_EQ(terminal.seen(), "\r\x1b[J");
}

TEST(LiveLinesTest, RequireATerminal) {
  Terminal terminal;
  setenv("TERM", "xterm", 1);
  EXPECT_TRUE(LiveLines::can_be_on(terminal.descriptor()));
  setenv("TERM", "dumb", 1);
  EXPECT_FALSE(LiveLines::can_be_on(terminal.descriptor()));
  setenv("TERM", "xterm", 1);
  const int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
  EXPECT_FALSE(LiveLines::can_be_on(nowhere));
  close(nowhere);
}

TEST(LiveLinesTest, ObeyNoColor) {
  Terminal terminal;
  setenv("NO_COLOR", "1", 1);
  EXPECT_FALSE(LiveLines(terminal.descriptor()).screen().has_color);
  unsetenv("NO_COLOR");
  EXPECT_TRUE(LiveLines(terminal.descriptor()).screen().has_color);
}

}  // namespace
}  // namespace gossamer::terminal
