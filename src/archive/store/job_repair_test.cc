#include "store/job_repair.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <tests/support/short_files.h>
#include <tests/support/temporary_folder.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "record/page_row.h"
#include "store/job_folder.h"
#include "store/page_table.h"
#include "store/rocks_tables.h"
#include "store/stored_crawl.h"
#include "url/url.h"

namespace gossamer::store {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kRepairedPages = 3000;

class JobRepairTest : public testing::Test {
 protected:
  JobRepairTest() {
    auto job = JobFolder::open(folder_.path(), JobFolder::Access::write);
    EXPECT_TRUE(job->write_configuration("[crawl]\nurl = [\"https://a.example/\"]\n"));
    auto tables = RocksTables::open(job->tables());
    Batch batch;
    url::CrawlIdentity identity;
    crawler::Statistics statistics;
    for (std::size_t i = 0; i < kRepairedPages; ++i) {
      crawler::FetchRecord record;
      record.url = "https://a.example/" + std::to_string(i);
      record.title = std::to_string(i * 2'654'435'761U);  // does not compress well
      record.status = 200;
      statistics.add(record);
      batch.put(Table::pages, page_key(identity.fingerprint(*url::Url::parse(record.url))),
                pack_page(record));
    }
    batch.put(Table::meta, "state", "finished");
    batch.put(Table::meta, std::string(kConfigurationKey),
              "[crawl]\nurl = [\"https://a.example/\"]\n");
    batch.put(Table::seen, "seen", "");
    put_statistics(batch, statistics);
    EXPECT_TRUE((*tables)->write(batch));
    EXPECT_TRUE((*tables)->close());
    EXPECT_TRUE(job->seal());
  }

  Result<std::size_t> pages() const {
    const auto crawl = StoredCrawl::open(folder_.path());
    if (!crawl) return fail(crawl.error().copy());
    std::size_t count = 0;
    auto read = crawl->for_each_page([&](const crawler::FetchRecord&) { return ++count > 0; });
    return read ? Result<std::size_t>(count) : fail(std::move(read).error());
  }
  std::string state() const { return StoredCrawl::open(folder_.path())->state(); }
  RepairSummary repair() const {
    auto done = repair_job(folder_.path(), {});
    EXPECT_TRUE(done) << done.error().to_string();
    return done ? *std::move(done) : RepairSummary();
  }
  // The largest file of the tables with that ending.
  std::string file_of_tables(const std::string& part) const {
    std::string largest;
    for (const auto& entry : fs::directory_iterator(folder_.path() + "/tables")) {
      const bool is_like_it = entry.path().filename().string().contains(part);
      if (is_like_it && (largest.empty() || entry.file_size() > fs::file_size(largest))) {
        largest = entry.path();
      }
    }
    return largest;
  }

  tests::TemporaryFolder folder_;
};

TEST_F(JobRepairTest, ChangesNothingWithoutDamage) {
  const RepairSummary done = repair();
  EXPECT_TRUE(done.damage.empty());
  EXPECT_EQ(done.pages, kRepairedPages);
  EXPECT_EQ(pages().value(), kRepairedPages);
  EXPECT_EQ(state(), "finished");
}

// They are like those of an earlier version, but the seal knows the file.
TEST_F(JobRepairTest, AcceptsSettingsWithoutTheirChecksum) {
  const std::string path = folder_.path() + "/job.toml";
  std::ofstream(path) << "# The settings of this crawl.\n[crawl]\nurl = [\"https://b.example/\"]\n";
  EXPECT_EQ(pages().error(), Errc::malformed);
  EXPECT_FALSE(repair().damage.empty());
  EXPECT_EQ(pages().value(), kRepairedPages);
  EXPECT_TRUE(repair().damage.empty());
}

// A killed crawl whose log is damaged. A disk without room must not make the repair drop the log.
TEST_F(JobRepairTest, KeepsTheLogIfThereIsNoRoom) {
  constexpr int kLogged = 200;
  const std::string at = folder_.path() + "/tables";
  const std::string running = folder_.path() + "-running";
  fs::remove(folder_.path() + "/seal");
  {
    fs::rename(at, running);
    auto tables = RocksTables::open(running);
    url::CrawlIdentity identity;
    for (int i = 0; i < kLogged; ++i) {
      crawler::FetchRecord record;
      record.url = "https://new.example/" + std::to_string(i);
      record.status = 200;
      Batch batch;
      batch.put(Table::pages, page_key(identity.fingerprint(*url::Url::parse(record.url))),
                pack_page(record));
      EXPECT_TRUE((*tables)->write(batch));
    }
    fs::copy(running, at);
    EXPECT_TRUE((*tables)->close());
  }
  fs::remove_all(running);
  std::string log;
  for (const auto& entry : fs::directory_iterator(at)) {
    if (entry.path().extension() == ".log" && entry.file_size() > 0) log = entry.path();
  }
  fs::resize_file(log, fs::file_size(log) / 2);
  {
    const support::ShortFiles files(4096);
    EXPECT_FALSE(repair_job(folder_.path(), {}));
  }
  EXPECT_FALSE(repair().damage.empty());
  EXPECT_GT(pages().value(), kRepairedPages + kLogged / 3);
}

TEST_F(JobRepairTest, FindsTheTablesAgainWithoutTheListOfTheirFiles) {
  for (const std::string part : {"CURRENT", "MANIFEST"}) {
    fs::remove(file_of_tables(part));
    EXPECT_EQ(pages().error(), Errc::malformed) << part;
    const RepairSummary done = repair();
    EXPECT_FALSE(done.damage.empty());
    EXPECT_EQ(pages().value(), kRepairedPages) << part;
  }
  EXPECT_EQ(state(), "interrupted") << "nothing tells that no file is missing";
}

TEST_F(JobRepairTest, RecoversTheRowsAroundADamagedBlock) {
  const std::string path = file_of_tables(".sst");
  const auto middle = static_cast<std::streamoff>(fs::file_size(path) / 3);
  {
    std::fstream file(path, std::ios::in | std::ios::out | std::ios::binary);
    file.seekp(middle);
    file << "damage";
  }
  EXPECT_EQ(pages().error(), Errc::malformed);
  const RepairSummary done = repair();
  EXPECT_TRUE(done.is_incomplete);
  const std::size_t left = pages().value();
  EXPECT_GT(left, kRepairedPages - 200);
  EXPECT_LT(left, kRepairedPages);
  EXPECT_EQ(done.pages, left);
  EXPECT_EQ(StoredCrawl::open(folder_.path())->statistics().value().pages, left);
  EXPECT_EQ(state(), "interrupted");
}

TEST_F(JobRepairTest, RestoresTheSettings) {
  std::ofstream(folder_.path() + "/job.toml", std::ios::trunc) << "[crawl]\nurl = [\"htt";
  EXPECT_EQ(pages().error(), Errc::malformed);
  EXPECT_TRUE(repair().was_configuration_restored);
  EXPECT_EQ(pages().value(), kRepairedPages);
  const auto job = JobFolder::open(folder_.path(), JobFolder::Access::read);
  EXPECT_EQ(job->read_configuration().value(), "[crawl]\nurl = [\"https://a.example/\"]\n");
  EXPECT_TRUE(fs::exists(folder_.path() + "/job.toml.damaged"));
  EXPECT_EQ(state(), "finished");
}

}  // namespace
}  // namespace gossamer::store
