#include "store/job_seal.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <tests/support/short_files.h>
#include <tests/support/temporary_folder.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include "store/job_folder.h"
#include "store/rocks_tables.h"

namespace gossamer::store {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

class JobSealTest : public testing::Test {
 protected:
  JobSealTest() {
    std::filesystem::create_directories(path("tables"));
    std::filesystem::create_directories(path("archive"));
    write("job.toml", "[crawl]\n");
    write("tables/CURRENT", "MANIFEST-000005\n");
    write("tables/000012.sst", std::string(100'000, 'x'));
    write("tables/LOG", "for people");
    write("archive/a-00001.warc.gz", "records");
    seal_ = seal_of(folder_.path()).value();
  }

  std::string path(const std::string& name) const { return folder_.path() + "/" + name; }
  void write(const std::string& name, const std::string& text) const {
    std::ofstream(path(name), std::ios::binary | std::ios::trunc) << text;
  }
  SealDamage compare() const { return compare_with_seal(folder_.path(), seal_).value(); }

  tests::TemporaryFolder folder_;
  std::string seal_;
};

TEST_F(JobSealTest, UnchangedFilesMatch) {
  EXPECT_THAT(compare().job, IsEmpty());
  EXPECT_THAT(compare().archive, IsEmpty());
  write("tables/LOG", "more for people");
  write("tables/000013.sst", "of a run that was killed");
  EXPECT_THAT(compare().job, IsEmpty());
}

TEST_F(JobSealTest, NamesWhatIsMissingShorterOrChanged) {
  std::filesystem::remove(path("tables/CURRENT"));
  write("tables/000012.sst", std::string(99'000, 'x'));
  write("job.toml", "[crawk]\n");
  write("archive/a-00001.warc.gz", "record");
  EXPECT_THAT(compare().job,
              ElementsAre("job.toml has changed", "tables/000012.sst has lost 1000 of 100000 bytes",
                          "tables/CURRENT is missing"));
  EXPECT_THAT(compare().archive, ElementsAre("archive/a-00001.warc.gz has lost 1 of 7 bytes"));
}

TEST_F(JobSealTest, ASealThatIsDamagedIsDamage) {
  const std::string seal = seal_;
  for (std::size_t i = 0; i < seal.size(); ++i) {
    seal_ = seal;
    seal_[i] = static_cast<char>(seal_[i] ^ 1);
    EXPECT_THAT(compare().job, ElementsAre("seal is damaged")) << i;
    seal_ = seal.substr(0, i);
    EXPECT_THAT(compare().job, ElementsAre("seal is damaged")) << i;
  }
}

TEST_F(JobSealTest, NoFileOutsideTheDirectoryIsRead) {
  std::filesystem::remove(path("tables/CURRENT"));
  std::filesystem::create_symlink("/etc/passwd", path("tables/CURRENT"));
  EXPECT_FALSE(compare_with_seal(folder_.path(), seal_));
}

// A directory as a crawl leaves it.
class SealedJobTest : public testing::Test {
 protected:
  SealedJobTest() {
    auto job = JobFolder::open(folder_.path(), JobFolder::Access::write);
    EXPECT_TRUE(job->write_configuration("[crawl]\n"));
    auto tables = RocksTables::open(job->tables());
    Batch batch;
    for (int i = 0; i < 1000; ++i) {
      batch.put(Table::pages, "page " + std::to_string(i), std::string(100, 'x'));
    }
    EXPECT_TRUE((*tables)->write(batch));
    EXPECT_TRUE((*tables)->close());
    EXPECT_TRUE(job->seal());
  }
  tests::TemporaryFolder folder_;
};

TEST_F(SealedJobTest, HasNoRowInALog) {
  for (const auto& entry : std::filesystem::directory_iterator(folder_.path() + "/tables")) {
    if (entry.path().extension() == ".log") EXPECT_EQ(entry.file_size(), 0) << entry.path();
  }
}

TEST_F(SealedJobTest, MissesEveryFileOfItsTables) {
  const auto job = JobFolder::open(folder_.path(), JobFolder::Access::read);
  EXPECT_TRUE(job->check());
  for (const auto& entry : std::filesystem::directory_iterator(job->tables())) {
    const std::string name = entry.path().filename();
    if (name != "CURRENT" && !name.starts_with("MANIFEST") && !name.ends_with(".sst")) continue;
    const std::string away = folder_.path() + "/away";
    std::filesystem::rename(entry.path(), away);
    const auto checked = job->check();
    ASSERT_FALSE(checked) << name;
    EXPECT_EQ(checked.error(), Errc::malformed);
    EXPECT_THAT(checked.error().detail(), testing::HasSubstr("tables/" + name + " is missing"));
    std::filesystem::rename(away, entry.path());
  }
}

TEST_F(SealedJobTest, IsNotCheckedWhileAProcessWrites) {
  std::filesystem::remove(folder_.path() + "/tables/CURRENT");
  {
    const auto writer = JobFolder::open(folder_.path(), JobFolder::Access::write);
    EXPECT_FALSE(writer->check()) << "the writer itself checks";
    EXPECT_TRUE(JobFolder::open(folder_.path(), JobFolder::Access::read)->check());
  }
  EXPECT_FALSE(JobFolder::open(folder_.path(), JobFolder::Access::read)->check());
}

TEST_F(SealedJobTest, SettingsHaveAChecksum) {
  const std::string path = folder_.path() + "/job.toml";
  std::ifstream file(path, std::ios::binary);
  const std::string whole(std::istreambuf_iterator<char>(file), {});
  for (std::size_t i = 0; i < whole.size(); ++i) {
    std::string other = whole;
    other[i] = static_cast<char>(other[i] ^ 1);
    std::ofstream(path, std::ios::trunc) << other;
    EXPECT_EQ(JobFolder::open(folder_.path(), JobFolder::Access::read).error(), Errc::malformed)
        << i;
    std::ofstream(path, std::ios::trunc) << whole.substr(0, i);
    EXPECT_EQ(JobFolder::open(folder_.path(), JobFolder::Access::read).error(), Errc::malformed)
        << i;
  }
}

}  // namespace
}  // namespace gossamer::store
