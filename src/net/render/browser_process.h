#pragma once

#include <memory>
#include <string>

#include "async/task.h"
#include "base/result.h"
#include "render/browser_pipe.h"

namespace gossamer::render {

// Returns the program of the browser that is installed. Fails with Errc::not_found, and says which
// package has one.
Result<std::string> find_browser();

// Starts browsers on this machine. Each has a namespace of its own for the network, in which there
// is nothing to connect to, and others for processes and files: when its first process ends, all
// processes, the profile and its shared memory are gone. That happens too when this process is
// killed. Where the system forbids namespaces, options of the browser must keep it from the
// network. The browser is a user without rights, and its sandbox is on. Works on the real drivers
// only.
class ProcessLauncher final : public BrowserLauncher {
 public:
  // Tries nothing stronger than `strongest`.
  explicit ProcessLauncher(Isolation strongest = Isolation::sealed) : strongest_(strongest) {}

  Result<void> check() override;
  async::Task<Result<std::unique_ptr<BrowserPipe>>> launch(LaunchOptions options) override;

 private:
  const Isolation strongest_;
};

}  // namespace gossamer::render
