#pragma once

#include <termios.h>

#include <string>
#include <vector>

#include "terminal/screen.h"

namespace gossamer::terminal {

// Takes over the whole terminal and restores its contents in the destructor. Keys arrive one by one
// and are not echoed.
class FullScreen {
 public:
  // True if standard input and output are a terminal that can move its cursor.
  static bool is_possible();

  // REQUIRES: is_possible().
  FullScreen();
  ~FullScreen();
  FullScreen(const FullScreen&) = delete;
  FullScreen& operator=(const FullScreen&) = delete;

  // Its current size; with colours unless NO_COLOR is set.
  Screen screen() const;
  void draw(const std::vector<ScreenLine>& lines) const;
  // Waits for keys and returns them; empty if the terminal is gone.
  static std::string read_keys();
  static int key_descriptor();

 private:
  termios before_ = {};
  bool has_color_;
};

}  // namespace gossamer::terminal
