#pragma once

#include <mutex>
#include <string>
#include <vector>

#include "terminal/screen.h"

namespace gossamer::terminal {

// A few lines at the bottom of a terminal that are updated in place. Other code hides them before
// it writes to the terminal. All functions are thread-safe.
class LiveLines {
 public:
  // True if the descriptor is a terminal that can move its cursor.
  static bool can_be_on(int descriptor);

  explicit LiveLines(int descriptor);
  // Removes the lines.
  ~LiveLines();
  LiveLines(const LiveLines&) = delete;
  LiveLines& operator=(const LiveLines&) = delete;

  // The current size of the terminal; with colours unless NO_COLOR is set.
  Screen screen() const;
  // Replaces the previous lines.
  void draw(std::vector<ScreenLine> lines);
  // Hides the lines until show(); a draw() in between appears after that. Calls nest.
  void hide();
  void show();

 private:
  // REQUIRES: the mutex is held.
  std::string to_first_line() const;
  void write(const std::string& text) const;
  void write_lines(std::string text);

  const int descriptor_;
  const bool has_color_;
  std::mutex mutex_;  // guards the members below
  std::vector<ScreenLine> lines_;
  bool is_drawn_ = false;
  int hidden_ = 0;
};

}  // namespace gossamer::terminal
