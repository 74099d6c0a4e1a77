#include "store/journal.h"

#include <utility>

namespace gossamer::store {

std::optional<Error> Journal::trouble() const {
  const std::scoped_lock lock(mutex_);
  return trouble_ ? std::optional(trouble_->copy()) : std::nullopt;
}

void Journal::on_trouble(std::move_only_function<void()> callback) {
  const std::scoped_lock lock(mutex_);
  on_trouble_ = std::move(callback);
}

bool Journal::is_dirty() const {
  const std::scoped_lock lock(mutex_);
  return is_dirty_;
}

void Journal::begin_sync() {
  const std::scoped_lock lock(mutex_);
  is_dirty_ = false;
}

void Journal::commit() {
  const std::scoped_lock lock(mutex_);
  if (trouble_) return;
  for (auto& add : before_commit_) add(pending_);
  if (pending_.empty()) return;
  auto written = tables_.write(pending_);
  if (written && durability_ == Durability::strict) written = tables_.sync();
  if (!written) return fail_with(std::move(written).error());
  pending_.clear();
  is_dirty_ = true;
}

bool Journal::try_again() {
  const std::scoped_lock lock(mutex_);
  if (!trouble_) return true;
  if (*trouble_ != Errc::no_space) return false;
  trouble_.reset();
  auto telling = std::exchange(on_trouble_, {});  // it was called already
  commit();
  on_trouble_ = std::move(telling);
  return !trouble_;
}

void Journal::fail_with(Error error) {
  const std::scoped_lock lock(mutex_);
  // A full disk is temporary, so it must not hide a permanent failure.
  if (!trouble_ || *trouble_ == Errc::no_space) trouble_ = std::move(error);
  if (on_trouble_) on_trouble_();
}

}  // namespace gossamer::store
