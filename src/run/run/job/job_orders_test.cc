// Tests the rules of users that a crawl directory keeps, while its disk is full.

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <tests/support/simulated_machine.h>
#include <tests/support/test_web.h>

#include <memory>
#include <string>
#include <vector>

#include "async/task.h"
#include "run/job/job_store.h"
#include "settings/job_settings.h"
#include "tests/simulated/disk.h"

namespace gossamer::run {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

std::vector<std::string> orders_of(JobStore& job) {
  auto orders = job.orders();
  EXPECT_TRUE(orders);
  return orders ? *orders : std::vector<std::string>();
}

// BORROWS: all.
async::Task<void> give_orders(support::SimulatedStorage& storage, crawler::World& world) {
  support::SimulatedMachine machine(storage, *world.resolver, 1, world.wall_start);
  JobSettings settings;
  settings.folder = "job";
  const auto opened = JobStore::open(settings, machine);
  if (!opened) {
    ADD_FAILURE() << opened.error().to_string();
    co_return;
  }
  JobStore& job = **opened;
  EXPECT_TRUE(job.store_order("early"));
  storage.tables.set_full(true);
  EXPECT_FALSE(job.store_order("early"));
  EXPECT_FALSE(job.store_order("late"));
  storage.tables.set_full(false);
  EXPECT_TRUE(job.journal().try_again());
  EXPECT_THAT(orders_of(job), ElementsAre("early")) << "the user was told that it is not stored";
  EXPECT_TRUE(job.store_order("late"));
  EXPECT_THAT(orders_of(job), ElementsAre("early", "late")) << "the user has repeated it";
  storage.tables.set_full(true);
  EXPECT_FALSE(job.remove_order("early"));
  EXPECT_FALSE(job.store_order("early"));
  EXPECT_FALSE(job.remove_order("late"));
  storage.tables.set_full(false);
  EXPECT_TRUE(job.journal().try_again());
  EXPECT_THAT(orders_of(job), ElementsAre("early", "late")) << "nothing has changed";
  EXPECT_TRUE(job.remove_order("early"));
  EXPECT_TRUE(job.remove_order("late"));
  EXPECT_THAT(orders_of(job), IsEmpty());
}

TEST(JobOrders, AFullDiskStoresNothingLater) {
  support::SimulatedStorage storage(std::make_shared<sim::Disk>());
  crawler::TestWeb web;
  web.disk = storage.disk;
  static_cast<void>(
      web.visit([&storage](crawler::World& world) { return give_orders(storage, world); }));
}

}  // namespace
}  // namespace gossamer::run
