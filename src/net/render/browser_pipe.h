#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "async/task.h"
#include "base/result.h"

namespace gossamer::render {

// What keeps a browser from the network, beside its own sandbox.
enum class Isolation : std::uint8_t {
  none,        // a browser that the user started
  flags,       // only options of the browser: the system allows no namespace
  no_network,  // a network namespace without interfaces
  sealed,      // also namespaces of its own for processes and files, which end with it
};
std::string_view name(Isolation isolation);

// A running browser: the two directions of its pipe, and its life.
class BrowserPipe {
 public:
  virtual ~BrowserPipe() = default;  // ends it with all of its processes

  // Returns some bytes; empty at the end of the stream. BORROWS: the pipe.
  virtual async::Task<Result<std::string>> receive() = 0;
  // Succeeds when all bytes were written. One at a time, next to a receive(). BORROWS: the pipe.
  virtual async::Task<Result<void>> send(std::string bytes) = 0;
  virtual Isolation isolation() const = 0;
  // Returns what it said when it ended, in one line; often empty.
  virtual std::string last_words() = 0;
  // The memory of all its processes that is not shared; 0: unknown.
  virtual std::uint64_t memory_bytes() = 0;
};

struct LaunchOptions {
  std::string user_agent;     // what pages and servers see; empty: the browser's own
  bool loads_images = false;  // only pictures of pages need them
};

// Starts browsers: on this machine, or in a simulated world.
class BrowserLauncher {
 public:
  virtual ~BrowserLauncher() = default;

  // Fails with Errc::not_found if no browser is installed, and says which package has one.
  virtual Result<void> check() = 0;
  // Fails as check() does. BORROWS: the launcher.
  virtual async::Task<Result<std::unique_ptr<BrowserPipe>>> launch(LaunchOptions options) = 0;
};

}  // namespace gossamer::render
