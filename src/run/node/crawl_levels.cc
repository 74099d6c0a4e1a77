#include "node/crawl_levels.h"

#include <utility>

namespace gossamer::node {

async::Task<Result<bool>> CrawlLevels::follow(cluster::SharedFrontier::Counts counts) {
  if (!frontier_.options().is_level_by_level) co_return false;
  const bool is_over = counts.is_level_over() && counts.parked > 0;
  if (!is_over && counts.first_step == counts.last_step) co_return false;
  cluster::LevelStep wanted;
  // The level can be lower than the last one: `cluster add` adds roots.
  if (is_over) wanted = {.number = counts.last_step + 1, .depth = counts.lowest_parked};
  const auto step = co_await crawl_.level(wanted);
  if (!step) co_return fail(step.error().copy());
  auto taken = co_await frontier_.take_step(*step);
  if (!taken) co_return fail(std::move(taken).error());
  co_return true;
}

}  // namespace gossamer::node
