#pragma once

#include <mutex>
#include <string>
#include <vector>

#include "terminal/screen.h"

namespace gossamer::terminal {

// A few lines at the bottom of a terminal that are drawn over and over again. Other code
// that writes there removes them first. Any thread may call any of it.
class LiveLines {
 public:
  // Whether the descriptor is a terminal that can move its cursor.
  static bool can_be_on(int descriptor);

  explicit LiveLines(int descriptor);
  // Takes them away.
  ~LiveLines();
  LiveLines(const LiveLines&) = delete;
  LiveLines& operator=(const LiveLines&) = delete;

  // As the terminal is now; colours unless NO_COLOR is set.
  Screen screen() const;
  // In place of those that were drawn before.
  void draw(std::vector<ScreenLine> lines);
  // They are away until show(), or draw() after that. Nests.
  void hide();
  void show();

 private:
  // REQUIRES: the mutex is held.
  std::string to_first_line() const;
  void write(const std::string& text) const;
  void write_lines(std::string text);

  const int descriptor_;
  const bool has_color_;
  std::mutex mutex_;  // guards what follows
  std::vector<ScreenLine> lines_;
  bool is_drawn_ = false;
  int hidden_ = 0;
};

}  // namespace gossamer::terminal
