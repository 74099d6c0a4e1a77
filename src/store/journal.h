#pragma once

#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>
#include <vector>

#include "base/error.h"
#include "base/result.h"
#include "store/tables.h"

namespace gossamer::store {

// When what was told is on the disk. The death of the process costs nothing in any of them; a power
// cut costs repeated fetches, never a page.
enum class Durability : std::uint8_t {
  strict,  // after every page
  group,   // whenever sync() is called, that is every second or so
  none,    // when the system feels like it
};

// What a crawl has to tell its tables, collected and written page by page.
//
// The loops of a crawl share one, so what one of them tells is never written later than what
// another one told because of it. Any thread may call any of it.
class Journal {
 public:
  // BORROWS: the tables.
  Journal(Tables& tables, Durability durability) : tables_(tables), durability_(durability) {}
  Journal(const Journal&) = delete;
  Journal& operator=(const Journal&) = delete;

  // Nobody commits while it is held. May be taken twice.
  using Lock = std::unique_lock<std::recursive_mutex>;
  [[nodiscard]] Lock lock() { return Lock(mutex_); }

  // What goes with the next commit. REQUIRES: the lock is held.
  Batch& pending() noexcept { return pending_; }
  // Is called before each commit, on whatever thread, with the lock held: whoever collects things
  // by himself adds them, and holds the lock while he collects. REQUIRES: nobody commits yet.
  void before_commit(std::move_only_function<void(Batch& batch)> add) {
    before_commit_.push_back(std::move(add));
  }

  // Writes what is pending, all or nothing. Without room, or when that fails, it stays pending and
  // trouble() says why.
  void commit();

  // Why nothing is written any more. With Errc::no_space try_again() may help.
  std::optional<Error> trouble() const;
  // Is called on whatever thread, with the lock held.
  void on_trouble(std::move_only_function<void()> callback);
  // True: the trouble is over.
  bool try_again();

  // Something was written since the last sync() of the tables that began.
  bool is_dirty() const;
  void begin_sync();
  // For good: what was synced without success may be gone.
  void fail_with(Error error);

  Tables& tables() noexcept { return tables_; }
  Durability durability() const noexcept { return durability_; }

 private:
  Tables& tables_;
  const Durability durability_;
  mutable std::recursive_mutex mutex_;  // guards what follows
  Batch pending_;
  std::vector<std::move_only_function<void(Batch&)>> before_commit_;
  std::optional<Error> trouble_;
  std::move_only_function<void()> on_trouble_;
  bool is_dirty_ = false;
};

}  // namespace gossamer::store
