#include "run/job_pages.h"

#include <gtest/gtest.h>
#include <tests/support/temporary_folder.h>

#include <memory>
#include <string>

#include "run/crawl_settings.h"
#include "run/job_store.h"
#include "store/packing.h"
#include "store/stored_work.h"

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

}  // namespace
}  // namespace gossamer::run
