#pragma once

#include <termios.h>

#include <string>
#include <vector>

#include "terminal/screen.h"

namespace gossamer::terminal {

// The whole terminal, as long as this lives: what was on it comes back afterwards. Keys arrive one
// by one and are not shown.
class FullScreen {
 public:
  // Whether standard input and output are a terminal that can move its cursor.
  static bool is_possible();

  // REQUIRES: is_possible().
  FullScreen();
  ~FullScreen();
  FullScreen(const FullScreen&) = delete;
  FullScreen& operator=(const FullScreen&) = delete;

  // As it is now; colours unless NO_COLOR is set.
  Screen screen() const;
  void draw(const std::vector<ScreenLine>& lines) const;
  // What was typed. Waits if nothing was; empty: the terminal is gone.
  static std::string read_keys();
  static int key_descriptor();

 private:
  termios before_ = {};
  bool has_color_;
};

}  // namespace gossamer::terminal
