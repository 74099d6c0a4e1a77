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

// When changes reach the disk. A crash of the process loses nothing with any of these; a power cut
// costs repeated fetches, never a page.
enum class Durability : std::uint8_t {
  strict,  // after every page
  group,   // whenever sync() is called, that is every second or so
  none,    // when the system decides
};

// Collects the changes of the tables and writes them page by page.
//
// All loops of a crawl share one journal, so a change is never written after another change that
// depends on it. All functions are thread-safe.
class Journal {
 public:
  // BORROWS: the tables.
  Journal(Tables& tables, Durability durability) : tables_(tables), durability_(durability) {}
  Journal(const Journal&) = delete;
  Journal& operator=(const Journal&) = delete;

  // Prevents commits while it is held. The lock is recursive.
  using Lock = std::unique_lock<std::recursive_mutex>;
  [[nodiscard]] Lock lock() { return Lock(mutex_); }

  // The changes of the next commit. REQUIRES: the lock is held.
  Batch& pending() noexcept { return pending_; }
  // Sets a function that is called before each commit, on any thread, with the lock held. Code that
  // collects changes elsewhere adds them there, and holds the lock while it collects.
  // REQUIRES: no commit yet.
  void before_commit(std::move_only_function<void(Batch& batch)> add) {
    before_commit_.push_back(std::move(add));
  }

  // Writes the pending changes atomically. If the disk is full or writing fails, they stay pending
  // and trouble() says why.
  void commit();

  // Why nothing is written any longer. With Errc::no_space, try_again() may help.
  std::optional<Error> trouble() const;
  // Called on any thread, with the lock held.
  void on_trouble(std::move_only_function<void()> callback);
  // Returns true if writing works again.
  bool try_again();

  // True if something was written since the last sync() of the tables started.
  bool is_dirty() const;
  void begin_sync();
  // Permanent, since data of a failed sync may be lost.
  void fail_with(Error error);

  Tables& tables() noexcept { return tables_; }
  Durability durability() const noexcept { return durability_; }

 private:
  Tables& tables_;
  const Durability durability_;
  mutable std::recursive_mutex mutex_;  // guards the members below
  Batch pending_;
  std::vector<std::move_only_function<void(Batch&)>> before_commit_;
  std::optional<Error> trouble_;
  std::move_only_function<void()> on_trouble_;
  bool is_dirty_ = false;
};

}  // namespace gossamer::store
