// Damages an index and searches it. A search must find what it found before, or fail.
#include "index/checked_pages.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include "base/random.h"
#include "index/query.h"
#include "index/search_reader.h"
#include "index/search_writer.h"
#include "tests/support/suite.h"
#include "tests/support/temporary_folder.h"

namespace gossamer::index {
namespace {

namespace fs = std::filesystem;

enum class PageDamage : std::uint8_t { flipped, cut, zeroed, deleted };

class CheckedPagesTest : public testing::Test {
 protected:
  CheckedPagesTest() { fs::create_directory(folder_.path() + "/whole"); }

  std::string at(const std::string& name) const { return folder_.path() + "/" + name; }

  static void add(SearchWriter& writer, int begin, int end) {
    for (int i = begin; i < end; ++i) {
      const std::string number = std::to_string(i);
      PageText text = {.title = "Page " + number, .language = "en", .main = "amber stones"};
      // Long enough that its text takes pages of its own.
      for (int word = 0; word < 600; ++word) {
        text.main += " w" + std::to_string((i * 7919 + word * 104'729) % 9973);
      }
      const PageOrigin origin = {
          "https://a.example/" + number, {1'700'000'000, 0}, "text/html", {"a.warc", ""}, 42};
      ASSERT_TRUE(writer.add(origin, text).value_or(false));
    }
    ASSERT_TRUE(writer.commit());
  }

  // Everything that a reader tells; empty after a failure.
  static std::string everything_in(const std::string& path) {
    auto reader = SearchReader::open(path);
    if (!reader) return {};
    const auto summary = reader->summary();
    if (!summary) return {};
    std::string all = std::to_string(summary->pages) + "\n";
    for (const char* const words : {"amber", "w17", "w4242", "title:page", "stones w9"}) {
      const auto found = reader->search(*parse_query(words), {.limit = 200, .has_facets = true});
      if (!found) return {};
      all += std::to_string(found->total) + "\n";
      for (const Hit& hit : found->hits) {
        const auto text = reader->text(hit.page.id);
        if (!text) return {};
        all += hit.page.url + hit.page.title + hit.snippet.text + *text + "\n";
      }
    }
    return all;
  }

  static void damage(const std::string& path, PageDamage kind, base::Random& random) {
    std::ifstream file(path, std::ios::binary);
    std::string content(std::istreambuf_iterator<char>(file), {});
    const std::size_t place = random.below(content.size());
    switch (kind) {
      case PageDamage::flipped:
        content[place] = static_cast<char>(content[place] ^ (1 << random.below(8)));
        break;
      case PageDamage::cut: content.resize(place); break;
      case PageDamage::zeroed: {
        const std::size_t length = 1 + random.below(content.size() - place);
        std::fill_n(content.begin() + static_cast<std::ptrdiff_t>(place), length, '\0');
        break;
      }
      case PageDamage::deleted: fs::remove(path); return;
    }
    std::ofstream(path, std::ios::binary | std::ios::trunc) << content;
  }

  // Damages a file of copies of the index, and returns how many readers failed.
  int failures_after_damage(const std::string& name, int cases) {
    const std::string whole = everything_in(at("whole/search.db"));
    EXPECT_FALSE(whole.empty());
    base::Random random(7);
    int failures = 0;
    for (int i = 0; i < cases; ++i) {
      fs::remove_all(at("copy"));
      fs::copy(at("whole"), at("copy"));
      const auto kind = i == 0 ? PageDamage::deleted : static_cast<PageDamage>(i % 3);
      damage(at("copy/" + name), kind, random);
      const std::string read = everything_in(at("copy/search.db"));
      EXPECT_TRUE(read.empty() || read == whole) << "case " << i << ", " << read.size();
      failures += read.empty() ? 1 : 0;
    }
    return failures;
  }

  tests::TemporaryFolder folder_;
};

TEST_F(CheckedPagesTest, NoDamageOfAnIndexIsSilent) {
  {
    auto writer = SearchWriter::open(at("whole/search.db"));
    ASSERT_TRUE(writer);
    add(*writer, 0, 60);
    add(*writer, 60, 120);
  }
  EXPECT_FALSE(fs::exists(at("whole/search.db-position"))) << "a closed index needs none";
  const int cases = static_cast<int>(support::cases_to_run(400));
  EXPECT_GT(failures_after_damage("search.db", cases), cases / 2);
}

// A process that was killed leaves a log.
TEST_F(CheckedPagesTest, NoDamageOfALogIsSilent) {
  {
    const std::string path = at("running");
    fs::create_directory(path);
    auto writer = SearchWriter::open(path + "/search.db");
    ASSERT_TRUE(writer);
    for (int batch = 0; batch < 6; ++batch) add(*writer, 10 * batch, 10 * batch + 10);
    for (const char* const name : {"search.db", "search.db-wal", "search.db-position"}) {
      fs::copy(path + "/" + name, at("whole"));
    }
  }
  ASSERT_GT(fs::file_size(at("whole/search.db-wal")), 100'000U);
  EXPECT_GT(failures_after_damage("search.db-wal", 40), 10);
  EXPECT_EQ(failures_after_damage("search.db-position", 9), 0) << "the log is whole";
}

TEST_F(CheckedPagesTest, AWriterContinuesAfterItsLogWasLost) {
  const std::string path = at("whole/search.db");
  {
    auto writer = SearchWriter::open(path);
    ASSERT_TRUE(writer);
    add(*writer, 0, 5);
    fs::copy(at("whole"), at("killed"));
  }
  fs::remove(at("killed/search.db-wal"));
  const auto reader = SearchReader::open(at("killed/search.db"));
  ASSERT_FALSE(reader);
  EXPECT_TRUE(reader.error().message().contains("its log has lost the last 1 of 1 commits"))
      << reader.error().message();
  {
    auto writer = SearchWriter::open(at("killed/search.db"));
    ASSERT_TRUE(writer);
    add(*writer, 0, 5);
  }
  EXPECT_EQ(everything_in(at("killed/search.db")), everything_in(path));
}

TEST_F(CheckedPagesTest, NoLinkIsOpened) {
  {
    auto writer = SearchWriter::open(at("whole/search.db"));
    ASSERT_TRUE(writer);
  }
  fs::create_symlink(at("whole/search.db"), at("search.db"));
  EXPECT_FALSE(open_checked(at("search.db"), store::Database::Access::read)) << "by its path";
  EXPECT_EQ(SearchReader::open(at("search.db")).error(), Errc::io_failed);
  fs::create_directory_symlink(at("whole"), at("folder"));
  EXPECT_TRUE(SearchReader::open(at("folder/search.db"))) << "the user named the folder";
}

}  // namespace
}  // namespace gossamer::index
