#include "node/completion_order.h"

#include "base/check.h"

namespace gossamer::node {

std::uint64_t CompletionOrder::add_batch(std::uint32_t live, std::uint32_t ended) {
  CHECK(ended <= live);
  const std::uint64_t number = end_number();
  sizes_.push_back(live);
  open_.insert(open_.end(), ended, 0);
  open_.insert(open_.end(), live - ended, 1);
  open_count_ += live - ended;
  advance();
  return number;
}

bool CompletionOrder::is_open(std::uint64_t number) const {
  return number >= first_ && number < end_number() && open_[number - first_] > 0;
}

void CompletionOrder::hold(std::uint64_t number) {
  CHECK(is_open(number));
  ++open_[number - first_];
}

void CompletionOrder::end(std::uint64_t number) {
  if (!is_open(number) || --open_[number - first_] > 0) return;
  CHECK(open_count_ > 0);
  --open_count_;
  advance();
}

void CompletionOrder::advance() {
  while (!sizes_.empty()) {
    while (urls_ended_ < sizes_.front() && open_[urls_ended_] == 0) ++urls_ended_;
    if (urls_ended_ < sizes_.front()) return;
    open_.erase(open_.begin(), open_.begin() + static_cast<std::ptrdiff_t>(sizes_.front()));
    first_ += sizes_.front();
    sizes_.pop_front();
    urls_ended_ = 0;
    ++batches_ended_;
  }
}

}  // namespace gossamer::node
