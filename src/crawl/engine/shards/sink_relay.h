#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <unordered_map>
#include <variant>
#include <vector>

#include "async/event.h"
#include "async/loop.h"
#include "async/scope.h"
#include "async/task.h"
#include "base/error.h"
#include "base/result.h"
#include "record/page_sink.h"

namespace gossamer::crawler {

// Connects an engine on one loop to a sink on another. The engine waits while much is in transfer,
// so a slow sink slows down every loop of the crawl and no queue grows.
//
//   on the sink's loop:    scope.spawn(relay.run());
//   on the engine's loop:  relay.connect(loop);  engine.run();  relay.disconnect();
//   on the sink's loop:    relay.finish();
class SinkRelay final : public PageSink {
 public:
  enum class Manner : std::uint8_t {
    ahead,  // put() returns before the sink has the page; pages keep their order
    // put() waits until the sink has the page or has failed; several may wait concurrently. If
    // put() is cancelled, it cancels the sink and still waits for the sink's result.
    confirmed,
  };

  // BORROWS: both.
  SinkRelay(PageSink& sink, async::Loop& sink_loop, Manner manner = Manner::ahead) noexcept
      : sink_(sink), sink_loop_(sink_loop), manner_(manner) {}

  // Called on the engine's loop. BORROWS: the loop, until disconnect().
  void connect(async::Loop& loop);
  void disconnect();
  // Fails with the sink's error for earlier pages, and with Errc::cancelled. BORROWS: the relay.
  async::Task<Result<void>> put(Page page) override;
  async::Task<Result<void>> put_other(Exchange exchange) override;
  void skip(const SkippedUrl& skipped) override;

  // Called on the sink's loop. Delivers pages until finish() was called and all are delivered.
  // BORROWS: the relay.
  async::Task<Result<void>> run();
  void finish();

 private:
  struct Skipped {
    SkippedUrl skipped;  // its views point into the texts below
    std::string url;
    std::string via;
  };
  // The result for a waiting put(). Both loops hold it; the engine's loop reads it.
  struct Receipt {
    async::Event has_come;
    std::optional<Error> failure;
  };
  struct Item {
    std::variant<Page, Exchange, Skipped> what;
    std::shared_ptr<Receipt> receipt = nullptr;
  };

  static constexpr std::size_t kItemsMax = 256;
  static constexpr std::size_t kBytesMax = 16 * 1024 * 1024;  // of bodies and captures

  void add(Item item);
  // BORROWS: the relay.
  async::Task<Result<void>> pass(Item item, std::size_t bytes);
  // BORROWS: the relay.
  async::Task<Result<void>> pass_and_wait(Item item);
  // BORROWS: the relay.
  async::Task<Result<void>> hand_over(Item item);
  async::Task<Result<void>> hand_to_sink(Item item);
  // BORROWS: the relay.
  async::Task<void> hand_over_and_confirm(Item item);
  void confirm(const std::shared_ptr<Receipt>& receipt, Result<void> put);
  // Cancels a delivery, on the sink's loop.
  void withdraw(const std::shared_ptr<Receipt>& receipt);
  // BORROWS: the receipt.
  static async::Task<Result<void>> arrival_of(Receipt& receipt) {
    co_return co_await receipt.has_come.wait();
  }
  // BORROWS: the relay and the scope.
  async::Task<Result<void>> take_all(async::Scope& at_once);
  // BORROWS: the relay.
  async::Task<void> hand_over_all(std::vector<Item> items);

  PageSink& sink_;
  async::Loop& sink_loop_;
  const Manner manner_;
  async::Event has_items_;  // of the sink's loop
  // On the sink's loop: the current deliveries, by receipt.
  std::unordered_map<const Receipt*, async::JoinHandle<void>> handing_;
  async::Event has_room_;  // of the engine's loop

  std::mutex mutex_;  // guards the members below
  async::Loop* engine_loop_ = nullptr;
  std::vector<Item> items_;
  std::size_t bytes_ = 0;  // of the queued items
  std::optional<Error> failure_;
  bool is_sink_told_ = false;
  bool is_engine_waiting_ = false;
  bool is_finishing_ = false;
};

}  // namespace gossamer::crawler
