#pragma once

#include <cstddef>
#include <mutex>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "async/event.h"
#include "async/loop.h"
#include "async/task.h"
#include "base/error.h"
#include "base/result.h"
#include "crawl/page_sink.h"

namespace gossamer::crawl {

// A sink on one loop, for an engine on another. The engine waits when much is on its way, so a slow
// sink slows every loop of the crawl down, and nothing piles up.
//
//   on the sink's loop:    scope.spawn(relay.run());
//   on the engine's loop:  relay.connect(loop);  engine.run();  relay.disconnect();
//   on the sink's loop:    relay.finish();
class SinkRelay final : public PageSink {
 public:
  // BORROWS: both.
  SinkRelay(PageSink& sink, async::Loop& sink_loop) noexcept : sink_(sink), sink_loop_(sink_loop) {}

  // Of the engine's loop. BORROWS: the loop, until disconnect().
  void connect(async::Loop& loop);
  void disconnect();
  // What the sink says of pages that came before; Errc::cancelled. BORROWS: the relay.
  async::Task<Result<void>> put(Page page) override;
  async::Task<Result<void>> put_other(Exchange exchange) override;
  void skip(const SkippedUrl& skipped) override;

  // Of the sink's loop. Hands over until finish() was called and everything has been handed over.
  // BORROWS: the relay.
  async::Task<Result<void>> run();
  void finish();

 private:
  struct Skipped {
    SkippedUrl skipped;  // its texts are those that follow
    std::string url;
    std::string via;
  };
  using Item = std::variant<Page, Exchange, Skipped>;

  static constexpr std::size_t kItemsMax = 256;
  static constexpr std::size_t kBytesMax = 16 * 1024 * 1024;  // of bodies and captures

  void add(Item item);
  // BORROWS: the relay.
  async::Task<Result<void>> pass(Item item, std::size_t bytes);
  // BORROWS: the relay.
  async::Task<Result<void>> hand_over(Item item);

  PageSink& sink_;
  async::Loop& sink_loop_;
  async::Event has_items_;  // of the sink's loop
  async::Event has_room_;   // of the engine's loop

  std::mutex mutex_;  // guards what follows
  async::Loop* engine_loop_ = nullptr;
  std::vector<Item> items_;
  std::size_t bytes_ = 0;  // that these hold
  std::optional<Error> failure_;
  bool is_sink_told_ = false;
  bool is_engine_waiting_ = false;
  bool is_finishing_ = false;
};

}  // namespace gossamer::crawl
