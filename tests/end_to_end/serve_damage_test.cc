// `gossamer serve` with crawl directories in which one file each is damaged.

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "crawl_run.h"
#include "serve_run.h"
#include "tests/support/places.h"

namespace gossamer::cli {
namespace {

namespace fs = std::filesystem;

enum class FileDamage { flipped, cut, deleted, zeroed };

constexpr FileDamage kFileDamages[] = {FileDamage::flipped, FileDamage::cut, FileDamage::deleted,
                                       FileDamage::zeroed};

// The files that a seal covers. The others have no rows and no bodies.
bool is_kept_whole(const fs::path& file) {
  const std::string name = file.filename();
  return name == "seal" || name == "CURRENT" || name.starts_with("MANIFEST-") ||
         name.ends_with(".sst") || name.ends_with(".warc.gz");
}

void damage_file(const std::string& path, FileDamage kind) {
  std::string content = support::file_content(path);
  const std::size_t middle = content.size() / 2;
  switch (kind) {
    case FileDamage::flipped: content[middle] = static_cast<char>(content[middle] ^ 4); break;
    case FileDamage::cut: content.resize(middle); break;
    case FileDamage::deleted: fs::remove(path); return;
    case FileDamage::zeroed: std::ranges::fill(content, '\0'); break;
  }
  std::ofstream(path, std::ios::binary | std::ios::trunc) << content;
}

TEST(ServeDamageTest, TellsWhichDirectoriesAreDamaged) {
  const support::TestFolder folder;
  SiteThread site(plain_site(10));
  const std::string job = folder.file("job");
  ASSERT_EQ(crawl({"-j", job, "-q", "--no-progress", "-o", "/dev/null", site.url("/")}).exit_code,
            0);
  std::vector<std::string> words = {job};
  for (const auto& entry : fs::recursive_directory_iterator(job)) {
    if (!entry.is_regular_file() || !is_kept_whole(entry.path())) continue;
    const std::string name = fs::relative(entry.path(), job);
    for (const FileDamage kind : kFileDamages) {
      // Without its seal it is like the directory of a crawl that was killed, and whole.
      if (name == "seal" && kind == FileDamage::deleted) continue;
      const std::string copy = folder.file("copy" + std::to_string(words.size()));
      fs::copy(job, copy, fs::copy_options::recursive);
      fs::permissions(copy + "/tables", fs::perms::owner_all);
      damage_file(copy + "/" + name, kind);
      words.push_back(copy);
    }
  }
  EXPECT_GT(words.size(), 20U);
  for (const FileDamage kind : kFileDamages) {
    const std::string copy = folder.file("settings" + std::to_string(static_cast<int>(kind)));
    fs::copy(job, copy, fs::copy_options::recursive);
    damage_file(copy + "/job.toml", kind);
    CommandRun refused({"serve", copy});
    EXPECT_NE(refused.wait(), 0);
    EXPECT_TRUE(has(refused.err(), copy)) << refused.err();
  }
  const ServeRun serve(words);
  const std::string answer = serve.api("archives");
  const Json archives = Json::parse(answer.substr(answer.find("\r\n\r\n") + 4))["archives"];
  ASSERT_EQ(archives.size(), words.size()) << answer;
  for (const Json& archive : archives) {
    const bool is_good = archive["damage"] == 0 && archive["error"].is_null();
    EXPECT_EQ(is_good, archive["archive"] == 0) << archive.dump();
  }
}

}  // namespace
}  // namespace gossamer::cli
