#include "net/chunk.h"

#include <vector>

namespace gossamer::net {

namespace {

struct Blocks {
  std::vector<std::unique_ptr<PlainBlock>> spares;
  std::size_t lent = 0;
};

Blocks& blocks() {
  thread_local Blocks of_this_thread;
  return of_this_thread;
}

}  // namespace

PlainBlock::Owner PlainBlock::take() {
  Blocks& mine = blocks();
  ++mine.lent;
  if (mine.spares.empty()) return Owner(std::make_unique_for_overwrite<PlainBlock>().release());
  Owner block(mine.spares.back().release());
  mine.spares.pop_back();
  block->size_ = 0;
  return block;
}

void PlainBlock::GiveBack::operator()(PlainBlock* block) const noexcept {
  Blocks& mine = blocks();
  --mine.lent;
  std::unique_ptr<PlainBlock> owned(block);
  if (mine.spares.size() < kSparesMax) mine.spares.push_back(std::move(owned));
}

std::size_t PlainBlock::lent() noexcept { return blocks().lent; }

}  // namespace gossamer::net
