#include "warc/wacz.h"

#include <gtest/gtest.h>

#include <cstring>

#include "base/json.h"
#include "base/json_value.h"
#include "warc/record_writer.h"

namespace gossamer::warc {
namespace {

constexpr WallTime kZipDate = {.seconds = 1'642'482'874};

std::string zip_of(const std::vector<std::pair<std::string, std::string>>& files) {
  ZipWriter writer;
  std::string zip;
  for (const auto& [name, content] : files) {
    zip += writer.begin(name, content.size(), crc32_of(as_bytes(content)), kZipDate);
    zip += content;
  }
  zip += writer.finish();
  EXPECT_EQ(writer.size(), zip.size());
  return zip;
}

TEST(Zip, IsReadBack) {
  const std::string file = zip_of({{"a.txt", "hello"}, {"b/c", std::string(200'000, 'x')}});
  const auto zip = ZipArchive::open(as_bytes(file));
  ASSERT_TRUE(zip.has_value());
  ASSERT_EQ(zip->entries().size(), 2U);
  EXPECT_EQ(*zip->read(*zip->find("a.txt"), 100), "hello");
  EXPECT_EQ(zip->read(*zip->find("b/c"), 100).error().code(), Errc::over_limit);
  EXPECT_EQ(zip->read(*zip->find("b/c"), 1 << 20)->size(), 200'000U);
  EXPECT_EQ(zip->find("c"), nullptr);
}

TEST(Zip, HasALargeDirectoryForManyMembers) {
  std::vector<std::pair<std::string, std::string>> files;
  for (int i = 0; i < 70'000; ++i) files.emplace_back(std::to_string(i), "");
  const std::string file = zip_of(files);
  const auto zip = ZipArchive::open(as_bytes(file));
  ASSERT_TRUE(zip.has_value());
  EXPECT_EQ(zip->entries().size(), 70'000U);
  EXPECT_EQ(zip->entries().back().name, "69999");
}

// Five gigabytes are not written for this test: only the headers and the directory are checked.
TEST(Zip, HasTheSizesOfLargeMembers) {
  constexpr std::uint64_t kBytes = 5'000'000'000;
  ZipWriter writer;
  const std::string header = writer.begin("large", kBytes, 7, kZipDate);
  EXPECT_EQ(writer.size(), header.size() + kBytes);
  writer.begin("behind", 3, 7, kZipDate);
  const std::string directory = writer.finish();
  // The end record and its locator refer to a file that is not here, so the entries are read from
  // their actual position.
  std::uint64_t size = 0;
  const std::size_t extra = header.size() - 20;
  std::memcpy(&size, header.data() + extra + 4, 8);
  EXPECT_EQ(size, kBytes);
  std::uint64_t offset = 0;
  const std::size_t last = directory.find("behind") + 6;
  std::memcpy(&offset, directory.data() + last + 4, 8);
  EXPECT_EQ(offset, header.size() + kBytes);
}

TEST(Zip, IsRejectedOrReadInBoundsIfDamaged) {
  const std::string file = zip_of({{"a", "hello"}, {"b", "world"}});
  for (std::size_t at = 0; at < file.size(); ++at) {
    for (const int bit : {0, 3, 7}) {
      std::string broken = file;
      broken[at] = static_cast<char>(broken[at] ^ 1 << bit);
      const auto zip = ZipArchive::open(as_bytes(broken));
      if (!zip) continue;
      for (const ZipEntry& entry : zip->entries()) {
        const auto content = zip->read(entry, 1000);
        if (content) EXPECT_LE(content->size(), 1000U);
      }
    }
    EXPECT_FALSE(ZipArchive::open(as_bytes(std::string_view(file).substr(0, at))).has_value());
  }
}

TEST(Zip, IsRejectedIfItsMembersOverlap) {
  std::string file = zip_of({{"a", "hello"}, {"b", "world"}});
  const std::size_t directory = file.find("PK\x01\x02");
  const std::size_t second = file.find("PK\x01\x02", directory + 1);
  std::memset(file.data() + second + 42, 0, 4);  // the offset of the first header
  EXPECT_EQ(ZipArchive::open(as_bytes(file)).error().code(), Errc::malformed);
}

TEST(Zip, KnowsUnsafeNames) {
  for (const std::string_view name : {"a", "a/b.c", "archive/data.warc.gz", "..a", "a..b", "a b"}) {
    EXPECT_TRUE(is_safe_entry_name(name)) << name;
  }
  for (const std::string_view name : {"", "/", "/etc/passwd", "../x", "a/../b", "a/..", ".", "a//b",
                                      "a/", "C:x", "a\\b", "a\nb", "./a"}) {
    EXPECT_FALSE(is_safe_entry_name(name)) << name;
  }
}

std::string package_of(std::string_view archive) {
  WaczWriter writer(kZipDate);
  const std::string pages = pages_header_line() + "\n" +
                            page_line({.id = "1", .url = "http://h/", .date = kZipDate}) + "\n";
  std::string file = writer.begin("archive/data.warc.gz", facts_of_content(as_bytes(archive)));
  file += archive;
  file += writer.begin("pages/pages.jsonl", facts_of_content(as_bytes(pages)));
  file += pages;
  return file +=
         writer.finish({.created = kZipDate, .software = "Gossamer", .title = "A \"title\""});
}

TEST(Wacz, IsWrittenSoThatItChecks) {
  const std::string file = package_of("some archive");
  const auto zip = ZipArchive::open(as_bytes(file));
  ASSERT_TRUE(zip.has_value());
  EXPECT_EQ(check_wacz(*zip), std::vector<std::string>());
  ASSERT_EQ(archives_of(*zip).size(), 1U);
  const auto package = base::parse_json(*zip->read(*zip->find("datapackage.json"), 10'000));
  ASSERT_TRUE(package.has_value());
  EXPECT_EQ(package->text_of("wacz_version"), "1.1.1");
  EXPECT_EQ(package->text_of("title"), "A \"title\"");
  EXPECT_EQ(package->text_of("created"), "2022-01-18T05:14:34Z");
  EXPECT_EQ(package->find("resources")->items[0].text_of("hash"),
            digest_of(DigestAlgorithm::sha256, as_bytes("some archive")).to_string());
}

TEST(Wacz, FailsTheCheckIfItWasChanged) {
  const std::string good = package_of("some archive");
  for (const std::string_view what : {"some archive", "json-pages", "\"A "}) {
    std::string file = good;
    const std::size_t at = file.find(what);
    ASSERT_NE(at, std::string::npos);
    file[at + 1] = 'X';
    const auto zip = ZipArchive::open(as_bytes(file));
    ASSERT_TRUE(zip.has_value());
    EXPECT_FALSE(check_wacz(*zip).empty()) << what;
  }
}

TEST(Wacz, FailsTheCheckWithoutItsParts) {
  const std::string file = zip_of({{"a", "x"}});
  const auto zip = ZipArchive::open(as_bytes(file));
  ASSERT_TRUE(zip.has_value());
  EXPECT_EQ(check_wacz(*zip).size(), 2U);
}

std::vector<std::string> problems_of_package(const std::string& datapackage) {
  const std::string file = zip_of({{"archive/a", "x"}, {"datapackage.json", datapackage}});
  const auto zip = ZipArchive::open(as_bytes(file));
  EXPECT_TRUE(zip.has_value());
  return zip ? check_wacz(*zip) : std::vector<std::string>();
}

std::string resources_of(std::string_view resource, int count) {
  std::string json = R"({"wacz_version": "1.1.1", "resources": [)";
  for (int i = 0; i < count; ++i) json.append(i == 0 ? "" : ",").append(resource);
  return json + "]}";
}

TEST(Wacz, IsRejectedWithUnsafeOrEqualNames) {
  // The writer does not write such names, so a name of the same length is replaced.
  const auto check = [](const std::string& name) {
    const std::string place(name.size(), 'q');
    std::string file = zip_of({{"archive/a", "x"}, {place, "y"}});
    for (std::size_t at = file.find(place); at != std::string::npos; at = file.find(place)) {
      file.replace(at, place.size(), name);
    }
    return check_member_names(*ZipArchive::open(as_bytes(file)));
  };
  EXPECT_TRUE(check("archive/"));
  EXPECT_TRUE(check("archive/b"));
  for (const char* name : {"archive/../../b", "/etc/b", "archive/a", "archive//b", "c:\\b"}) {
    const auto checked = check(name);
    ASSERT_FALSE(checked.has_value()) << name;
    EXPECT_EQ(checked.error(), Errc::malformed);
  }
}

TEST(Wacz, HasABoundOnItsProblems) {
  const auto problems = problems_of_package(resources_of("0", 1000));
  ASSERT_EQ(problems.size(), 101U);
  EXPECT_EQ(problems.back(), "and 900 more");
}

TEST(Wacz, IsNotReadFurtherIfItsListIsTooLarge) {
  for (const int count : {300'000, 3'000'000}) {
    const auto problems = problems_of_package(resources_of("0", count));
    ASSERT_EQ(problems.size(), 1U);
    EXPECT_TRUE(problems[0].starts_with("datapackage.json: ")) << problems[0];
  }
}

TEST(Wacz, ChecksEachMemberOnce) {
  const std::string resource = R"({"path": "archive/a", "bytes": 1, "hash": ")" +
                               digest_of(DigestAlgorithm::sha256, as_bytes("x")).to_string() +
                               "\"}";
  EXPECT_EQ(problems_of_package(resources_of(resource, 1)), std::vector<std::string>());
  const auto problems = problems_of_package(resources_of(resource, 3));
  ASSERT_EQ(problems.size(), 2U);
  EXPECT_EQ(problems[0], "archive/a is listed twice");
}

// The sizes in the directory are sufficient.
TEST(Wacz, IsNotUnpackedIfItIsABomb) {
  const std::string resource = R"({"path": "archive/a", "bytes": 500000000, "hash": "sha256:)" +
                               std::string(64, '0') + "\"}";
  const std::string package = resources_of(resource, 1);
  std::string file = zip_of({{"archive/a", "x"}, {"datapackage.json", package}});
  const std::uint32_t claimed = 500'000'000;
  std::memcpy(file.data() + file.find("PK\x01\x02") + 24, &claimed, 4);
  const auto zip = ZipArchive::open(as_bytes(file));
  ASSERT_TRUE(zip.has_value());
  EXPECT_EQ(check_wacz(*zip),
            std::vector<std::string>({"archive/a has a compression ratio above 100 to 1"}));
}

using Problems = std::vector<std::string>;

std::string resource_of(std::string_view path, std::uint64_t bytes, std::string_view content) {
  return base::JsonLine()
      .text("path", path)
      .number("bytes", bytes)
      .text("hash", digest_of(DigestAlgorithm::sha256, as_bytes(content)).to_string())
      .finish();
}

TEST(Wacz, ReportsEachDifferenceFromItsList) {
  EXPECT_EQ(problems_of_package(resources_of(resource_of("archive/a", 1, "x"), 1)), Problems());
  EXPECT_EQ(problems_of_package(resources_of(resource_of("archive/a", 2, "x"), 1)),
            Problems({"archive/a does not have the listed size"}));
  EXPECT_EQ(problems_of_package(resources_of(resource_of("archive/a", 1, "y"), 1)),
            Problems({"archive/a does not match its digest"}));
  EXPECT_EQ(problems_of_package(resources_of(resource_of("archive/b", 1, "x"), 1)),
            Problems({"archive/b is listed but missing"}));
  EXPECT_EQ(problems_of_package(resources_of(R"({"path": "archive/a", "bytes": 1})", 1)),
            Problems({"archive/a has no digest to check"}));
  const std::string hash = digest_of(DigestAlgorithm::sha256, as_bytes("x")).to_string();
  EXPECT_EQ(
      problems_of_package(resources_of(R"({"path": "archive/a", "hash": ")" + hash + R"("})", 1)),
      Problems({"archive/a does not have the listed size"}));
}

TEST(Wacz, ReportsAPackageWithoutAListOrVersion) {
  EXPECT_EQ(problems_of_package(R"({"wacz_version": "1.1.1"})"),
            Problems({"datapackage.json has no list of resources"}));
  EXPECT_EQ(problems_of_package(R"({"wacz_version": "1.1.1", "resources": {}})"),
            Problems({"datapackage.json has no list of resources"}));
  EXPECT_EQ(problems_of_package(R"({"resources": []})"),
            Problems({"datapackage.json has no wacz_version"}));
  EXPECT_EQ(problems_of_package("[").size(), 1U);
}

// Before 1.1, the facts were in "stats" and the algorithm beside them.
TEST(Wacz, ReadsTheListOfOldPackages) {
  const std::string hash = base16(digest_of(DigestAlgorithm::sha256, as_bytes("x")).value());
  const auto problems = [](const std::string& stats) {
    return problems_of_package(resources_of(
        R"({"path": "archive/a", "stats": )" + stats + R"(, "hashing": "sha256"})", 1));
  };
  EXPECT_EQ(problems(R"({"bytes": 1, "hash": ")" + hash + R"("})"), Problems());
  EXPECT_EQ(problems(R"({"bytes": 1, "hash": "sha256:)" + hash + R"("})"), Problems());
  EXPECT_EQ(problems(R"({"bytes": 3, "hash": ")" + hash + R"("})"),
            Problems({"archive/a does not have the listed size"}));
  EXPECT_EQ(problems(R"({"bytes": 1, "hash": "00)" + hash.substr(2) + R"("})"),
            Problems({"archive/a does not match its digest"}));
}

Problems problems_of_members(const std::vector<std::pair<std::string, std::string>>& members) {
  const std::string file = zip_of(members);
  return check_wacz(*ZipArchive::open(as_bytes(file)));
}

TEST(Wacz, ComparesTheDigestOfItsListIfThereIsOne) {
  const std::string package = resources_of(resource_of("archive/a", 1, "x"), 1);
  const auto problems = [&package](const std::string& digest) {
    return problems_of_members(
        {{"archive/a", "x"}, {"datapackage.json", package}, {"datapackage-digest.json", digest}});
  };
  const auto hash = digest_of(DigestAlgorithm::sha256, as_bytes(package)).to_string();
  EXPECT_EQ(problems(R"({"hash": ")" + hash + R"("})"), Problems());
  EXPECT_EQ(problems(R"({"hash": "sha256:)" + std::string(64, '0') + R"("})"),
            Problems({"datapackage.json does not match its digest"}));
  EXPECT_EQ(problems("{}"), Problems({"datapackage.json has no digest to check"}));
  EXPECT_EQ(problems("{"), Problems({"datapackage-digest.json cannot be read"}));
  EXPECT_EQ(problems_of_members({{"archive/a", "x"}, {"datapackage-digest.json", "{}"}}),
            Problems({"datapackage.json is missing"}));
}

TEST(Wacz, ListsAHundredProblemsBeforeItCounts) {
  EXPECT_EQ(problems_of_package(resources_of("0", 100)).size(), 100U);
  EXPECT_EQ(problems_of_package(resources_of("0", 101)).back(), "and 1 more");
}

TEST(Wacz, HasArchivesOnlyBelowTheirFolder) {
  std::string file = zip_of({{"archive/a", "x"}, {"archive_", ""}, {"other/b", "y"}});
  // The writer does not write folders.
  for (std::size_t at = file.find("archive_"); at != std::string::npos;
       at = file.find("archive_")) {
    file[at + 7] = '/';
  }
  const auto zip = ZipArchive::open(as_bytes(file));
  const auto archives = archives_of(*zip);
  ASSERT_EQ(archives.size(), 1U);
  EXPECT_EQ(archives[0]->name, "archive/a");
}

// Small members may have any ratio. Sizes in the directory are sufficient.
TEST(Wacz, AcceptsARatioOfAHundredToOne) {
  const auto problems = [](std::uint32_t claimed, std::size_t stored) {
    const std::string package =
        resources_of(resource_of("archive/a", claimed, std::string(stored, 'x')), 1);
    std::string file =
        zip_of({{"archive/a", std::string(stored, 'x')}, {"datapackage.json", package}});
    std::memcpy(file.data() + file.find("PK\x01\x02") + 24, &claimed, 4);
    const auto found = check_wacz(*ZipArchive::open(as_bytes(file)));
    return found.empty() ? "" : found[0];
  };
  const std::string bomb = "archive/a has a compression ratio above 100 to 1";
  constexpr std::uint32_t kFree = 1024 * 1024;
  EXPECT_NE(problems(kFree, 1), bomb);
  EXPECT_EQ(problems(kFree + 1, 1), bomb);
  EXPECT_NE(problems(2'000'099, 20'000), bomb);
  EXPECT_EQ(problems(2'000'100, 20'000), bomb);
}

TEST(WaczPages, HaveALinePerPageWithoutEmptyMembers) {
  EXPECT_EQ(pages_header_line(),
            R"({"format": "json-pages-1.0", "id": "pages", "title": "All Pages"})");
  EXPECT_EQ(page_line({.id = "", .url = "http://h/", .date = kZipDate}),
            R"({"url": "http://h/", "ts": "2022-01-18T05:14:34.000Z"})");
  const auto full = base::parse_json(
      page_line({.id = "1", .url = "u", .date = kZipDate, .title = "T", .text = "x\ny"}));
  ASSERT_TRUE(full.has_value());
  EXPECT_EQ(full->members.size(), 5U);
  EXPECT_EQ(full->text_of("id"), "1");
  EXPECT_EQ(full->text_of("title"), "T");
  EXPECT_EQ(full->text_of("text"), "x\ny");
}

base::JsonValue written_package(const WaczFacts& about) {
  WaczWriter writer(kZipDate);
  std::string file = writer.begin("archive/data.warc", facts_of_content(as_bytes("ab"))) + "ab";
  file += writer.begin("top", facts_of_content(as_bytes("c"))) + "c";
  file += writer.finish(about);
  const auto zip = ZipArchive::open(as_bytes(file));
  return *base::parse_json(*zip->read(*zip->find("datapackage.json"), 10'000));
}

TEST(Wacz, DescribesItself) {
  const auto bare = written_package({.created = kZipDate, .software = "Gossamer"});
  for (const char* name : {"title", "description", "mainPageUrl", "mainPageDate"}) {
    EXPECT_EQ(bare.find(name), nullptr) << name;
  }
  ASSERT_EQ(bare.find("resources")->items.size(), 2U);
  EXPECT_EQ(bare.find("resources")->items[0].text_of("name"), "data.warc");
  EXPECT_EQ(bare.find("resources")->items[0].text_of("bytes"), "2");
  EXPECT_EQ(bare.find("resources")->items[1].text_of("name"), "top");
  const auto full = written_package({.created = kZipDate,
                                     .software = "Gossamer",
                                     .description = "D",
                                     .main_page_url = "http://h/",
                                     .main_page_date = kZipDate});
  EXPECT_EQ(full.text_of("description"), "D");
  EXPECT_EQ(full.text_of("mainPageUrl"), "http://h/");
  EXPECT_EQ(full.text_of("mainPageDate"), "2022-01-18T05:14:34.000Z");
}

}  // namespace
}  // namespace gossamer::warc
