// For tests: browsers that exist only in a simulated world. They speak the protocol well enough to
// render pages whose text says what they do, a line each:
//
//   link URL    the page has this link
//   part URL    the page requests this, and then does what the answer says
//   below URL   the page has this link when it was scrolled
//   shadow URL  the page has this link in a shadow root
//   route URL   a script changes the address of the page
//   nofollow    a script adds this rule for robots
//   leave       a script leads the tab elsewhere when the next page is loaded
//   hang        a script never ends
//   loop        the same, and the rest of the page is not parsed before it has ended
//   crash       the page crashes
//
// All other lines are HTML, which the rendered page has, too.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "async/task.h"
#include "base/random.h"
#include "base/result.h"
#include "base/time.h"
#include "render/browser_pipe.h"

namespace gossamer::support {

// How browsers misbehave. The chances are per message of the browser.
struct BrowserHabits {
  Duration delay_max = Duration::zero();  // of a reply
  double dies = 0;
  double falls_silent = 0;
  double says_nonsense = 0;
  double forgets = 0;  // sends no reply to a command
  double repeats = 0;  // sends a message twice
  double lies = 0;     // says of a page what cannot be
};

class BrowserModel final : public render::BrowserLauncher {
 public:
  explicit BrowserModel(std::uint64_t seed = 0, const BrowserHabits& habits = {})
      : random_(seed), habits_(habits) {}

  Result<void> check() override;
  async::Task<Result<std::unique_ptr<render::BrowserPipe>>> launch(
      render::LaunchOptions options) override;

  // Whether a browser is installed.
  bool is_installed = true;
  // What each browser takes for every page that it had.
  std::uint64_t bytes_per_page = 0;
  // Of a start.
  Duration start_time = Duration::zero();
  std::size_t launched = 0;
  std::size_t running_max = 0;
  std::size_t running = 0;
  std::size_t tabs = 0;   // open ones, of all browsers
  std::size_t pages = 0;  // that were loaded
  // Returns what a page requests beside its parts.
  std::function<std::vector<std::string>(const std::string& page)> lures;
  // The methods of all commands, in their order.
  std::vector<std::string> commands;

 private:
  class Pipe;

  base::Random random_;
  const BrowserHabits habits_;
};

}  // namespace gossamer::support
