#include "run/job/job_pages.h"

#include <gtest/gtest.h>
#include <tests/support/temporary_folder.h>

#include <cstddef>
#include <cstdint>
#include <ctime>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "async/loop.h"
#include "async/scope.h"
#include "async/sleep.h"
#include "base/packing.h"
#include "content/text_sketch.h"
#include "engine/page/similar_pages.h"
#include "run/job/job_store.h"
#include "settings/crawl_settings.h"
#include "store/stored_work.h"
#include "url/url.h"

namespace gossamer::run {
namespace {

class NoPages final : public crawler::PageSink {
 public:
  async::Task<Result<void>> put(crawler::Page /*page*/) override { co_return {}; }
};

// The redirect targets of a root in a directory with one row in Table::meta.
std::vector<std::string> places_of(const std::string& root, const std::string& key,
                                   const std::string& value) {
  const tests::TemporaryFolder folder;
  CrawlSettings settings(root);
  settings.job.folder = folder.path() + "/job";
  EXPECT_TRUE(complete(settings));
  auto store = JobStore::open(settings.job);
  EXPECT_TRUE(store) << store.error().to_string();
  store::Batch batch;
  batch.put(store::Table::meta, key, value);
  EXPECT_TRUE((*store)->tables().write(batch));
  NoPages nowhere;
  const auto pages = JobPages::open(**store, settings, nowhere);
  EXPECT_TRUE(pages);
  std::vector<std::string> places;
  for (const JobPages::RootPlace& each : (*pages)->root_places()) places.push_back(each.place);
  return places;
}

using Places = std::vector<std::string>;

TEST(JobPages, KnowsWhereARootRedirects) {
  const std::string key = std::string(store::kRootPlaceKey) + "http://b.example/";
  EXPECT_EQ(places_of("http://a.example/", key, "http://a.example/"), Places{"http://b.example/"});
  EXPECT_EQ(places_of("http://c.example/", key, "http://a.example/"), Places{});
}

TEST(JobPages, KnowsWhereARootWithAPasswordRedirects) {
  const std::string key = std::string(store::kRootPlaceKey) + "http://b.example/";
  EXPECT_EQ(places_of("http://me:word@a.example/", key, "http://a.example/"),
            Places{"http://b.example/"});
}

TEST(JobPages, ReadsTheFormatOfEarlierVersions) {
  store::Packer row;
  row.text("http://a.example/");
  row.text("http://b.example/");
  EXPECT_EQ(places_of("http://a.example/", "root-places", std::move(row).take()),
            Places{"http://b.example/"});
}

// A crawl directory whose pages are given, and a run in it.
class SimilarRun {
 public:
  SimilarRun(const std::string& folder, bool refreshes, Duration older_than = Duration::zero())
      : settings_("http://a.example/") {
    settings_.job.folder = folder;
    settings_.job.refreshes = refreshes;
    settings_.job.older_than = older_than;
    EXPECT_TRUE(complete(settings_));
    auto store = JobStore::open(settings_.job);
    EXPECT_TRUE(store) << store.error().to_string();
    store_ = std::move(*store);
    auto pages = JobPages::open(*store_, settings_, nowhere_);
    EXPECT_TRUE(pages);
    pages_ = std::move(*pages);
    similar_.emplace(pages_->sink(), crawler::SimilarPages::kMemoryBytes);
  }

  void set_time(std::int64_t seconds) { seconds_ = seconds; }
  async::Task<void> recall() { EXPECT_TRUE(co_await pages_->recall_texts(*similar_)); }
  // An empty text: the page did not change.
  async::Task<void> put(std::string path, std::string text) {
    crawler::Page page;
    page.record.url = "http://a.example" + path;
    page.record.ts = {.seconds = ++seconds_};
    page.record.status = text.empty() ? 304 : 200;
    page.record.tries = 1;
    page.record.sketch = content::text_sketch(text);
    EXPECT_TRUE(co_await similar_->put(std::move(page)));
    store_->journal().commit();
  }
  std::string similar_to(const std::string& path) {
    const auto record = pages_->table().find(*url::Url::parse("http://a.example" + path));
    return record ? record->similar_to : "not there";
  }

 private:
  CrawlSettings settings_;
  NoPages nowhere_;
  std::unique_ptr<JobStore> store_;
  std::unique_ptr<JobPages> pages_;
  std::optional<crawler::SimilarSink> similar_;
  std::int64_t seconds_ = 1000;
};

const std::string kText = "the kettle boils a litre of water in two minutes and is quiet";
const std::string kOther = "another page is about something that has nothing to do with it at all";

TEST(JobPages, ComparesUnchangedPagesAgainInARefresh) {
  const tests::TemporaryFolder folder;
  async::Loop loop;
  {
    SimilarRun first(folder.path() + "/job", false);
    loop.run(first.put("/1", kText));
    loop.run(first.put("/2", kText));
    loop.run(first.put("/3", kText));
    EXPECT_EQ(first.similar_to("/2"), "http://a.example/1");
  }
  SimilarRun again(folder.path() + "/job", true);
  loop.run(again.recall());
  loop.run(again.put("/1", kOther));
  loop.run(again.put("/2", ""));
  loop.run(again.put("/3", ""));
  EXPECT_EQ(again.similar_to("/1"), "");
  EXPECT_EQ(again.similar_to("/2"), "");
  EXPECT_EQ(again.similar_to("/3"), "http://a.example/2");
}

// /1 is refetched and changes; /2 and /3 are too new for that.
TEST(JobPages, ARefreshOfOldPagesComparesTheOthersAgain) {
  const tests::TemporaryFolder folder;
  async::Loop loop;
  const std::int64_t now = std::time(nullptr);
  {
    SimilarRun first(folder.path() + "/job", false);
    loop.run(first.put("/1", kText));
    first.set_time(now);
    loop.run(first.put("/2", kText));
    loop.run(first.put("/3", kText));
    EXPECT_EQ(first.similar_to("/3"), "http://a.example/1");
  }
  SimilarRun again(folder.path() + "/job", true, 1h);
  loop.run(again.recall());
  loop.run(again.put("/1", kOther));
  EXPECT_EQ(again.similar_to("/1"), "");
  const std::set<std::string> others = {again.similar_to("/2"), again.similar_to("/3")};
  EXPECT_TRUE(others == std::set<std::string>({"", "http://a.example/2"}) ||
              others == std::set<std::string>({"", "http://a.example/3"}))
      << again.similar_to("/2") << " " << again.similar_to("/3");
}

async::Task<void> count_turns(const bool& is_over, std::size_t& turns) {
  while (!is_over && co_await async::yield_now()) ++turns;
}

async::Task<void> recall_beside(SimilarRun& run, std::size_t& turns) {
  bool is_over = false;
  async::Scope scope;
  scope.spawn(count_turns(is_over, turns));
  co_await run.recall();
  is_over = true;
  EXPECT_TRUE(co_await scope.join());
}

// A directory may have millions of pages.
TEST(JobPages, RecallsTextsInSteps) {
  const tests::TemporaryFolder folder;
  async::Loop loop;
  SimilarRun run(folder.path() + "/job", false);
  for (int i = 0; i < 1000; ++i) {
    loop.run(run.put("/" + std::to_string(i), kText + " number" + std::to_string(i)));
  }
  std::size_t turns = 0;
  loop.run(recall_beside(run, turns));
  EXPECT_GE(turns, 4U);
}

}  // namespace
}  // namespace gossamer::run
