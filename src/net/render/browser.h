#pragma once

#include <memory>
#include <string>
#include <unordered_map>
#include <unordered_set>

#include "async/scope.h"
#include "async/task.h"
#include "base/json_value.h"
#include "base/result.h"
#include "render/browser_pipe.h"
#include "render/connection.h"
#include "render/tab.h"

namespace gossamer::render {

// A running browser. It ends with this object.
class Browser final : public EventSink {
 public:
  // The conversation with it runs in the scope. BORROWS: the launcher, while it is awaited, and the
  // scope, until end().
  static async::Task<Result<std::unique_ptr<Browser>>> start(BrowserLauncher& launcher,
                                                             async::Scope& scope,
                                                             LaunchOptions options);
  Browser(const Browser&) = delete;
  Browser& operator=(const Browser&) = delete;
  ~Browser();

  // Opens a page with cookies and storage of its own. BORROWS: the browser, while it is awaited.
  async::Task<Result<std::unique_ptr<Tab>>> open_tab();

  bool is_open() const { return connection_->is_open(); }
  std::uint64_t memory_bytes() const { return connection_->memory_bytes(); }
  Isolation isolation() const { return connection_->isolation(); }

 private:
  explicit Browser(std::shared_ptr<Connection> connection);
  async::Task<Result<void>> prepare();
  void on_event(std::string_view method, const base::JsonValue& parameters) override;

  std::shared_ptr<Connection> connection_;
  std::unordered_set<std::string> contexts_;                // of our pages, also earlier ones
  std::unordered_map<std::string, std::string> new_pages_;  // target to session
};

}  // namespace gossamer::render
