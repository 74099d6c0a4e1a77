// A crawl with a control socket (docs/control.md).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "async/task.h"
#include "base/json.h"
#include "base/result.h"
#include "run/control/control_protocol.h"
#include "serve/live.h"
#include "server/metrics.h"

namespace gossamer::serve {

// Says why a crawl is not finished, in one sentence. `rate` is in URLs per second; 0: not known.
std::string why_not_finished(const run::CrawlProgress& status, double rate);

class SocketCrawl final : public LiveCrawl {
 public:
  static constexpr std::uint32_t kFetchesShown = 50;

  // The name of the crawl is the path of the socket.
  using LiveCrawl::LiveCrawl;

  // Once a second. BORROWS: this.
  async::Task<Result<void>> watch() override;

  std::string_view kind() const noexcept override { return "control"; }
  std::string_view state() const noexcept override {
    return status_ ? std::string_view(status_->state) : std::string_view("gone");
  }
  bool is_gone() const noexcept override { return !status_; }
  void add_to(server::Metrics& metrics) const override;

 private:
  // BORROWS: this.
  async::Task<Result<void>> follow();
  void note(run::CrawlProgress status);
  // BORROWS: this.
  async::Task<Result<std::string>> carry_out(run::ControlRequest request) override;
  void add_state(base::JsonLine& line) const override;
  std::string reason() const override;

  std::optional<run::CrawlProgress> status_;  // empty: it is gone, or has never been there
  std::optional<decltype(run::CrawlProgress::process)> process_;  // the last one that was seen
  std::string job_;  // the directory of that one; empty: none
  std::string status_json_;
  std::string fetches_json_ = "null";
};

}  // namespace gossamer::serve
