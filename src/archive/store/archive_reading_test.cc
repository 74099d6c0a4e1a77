// Tests what reads archives: the check, the index, payloads as files, packages.

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <tests/support/temporary_folder.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "store/archive_check.h"
#include "store/archive_index.h"
#include "store/archive_package.h"
#include "store/payload_files.h"
#include "warc/record_writer.h"
#include "warc/zip_writer.h"

namespace gossamer::store {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

namespace fs = std::filesystem;

constexpr std::string_view kDate = "WARC-Date: 2024-05-06T07:08:09Z\r\n";
constexpr std::string_view kHttp = "Content-Type: application/http;msgtype=response\r\n";

// A record as it is written, with all fields but the length.
std::string record(std::string_view type, std::string_view fields, std::string_view block) {
  return fmt::format("WARC/1.1\r\nWARC-Type: {}\r\n{}Content-Length: {}\r\n\r\n{}\r\n\r\n", type,
                     fields, block.size(), block);
}
std::string id(int number) { return fmt::format("<urn:uuid:{}>", number); }
std::string fields_of(int number, std::string_view path) {
  return fmt::format("WARC-Record-ID: {}\r\n{}WARC-Target-URI: http://a.example{}\r\n{}",
                     id(number), kDate, path, kHttp);
}
std::string answer(int number, std::string_view path, std::string_view body,
                   std::string_view more = "") {
  return record("response", fields_of(number, path) + std::string(more),
                fmt::format("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: {}"
                            "\r\n\r\n{}",
                            body.size(), body));
}
std::string packed(std::string_view bytes) {
  std::string out;
  warc::MemberWriter writer;
  writer.write(as_bytes(bytes), out);
  writer.finish(out);
  return out;
}

class ArchiveReading : public testing::Test {
 protected:
  std::string path(const std::string& name) const { return folder_.path() + "/" + name; }
  std::string write(const std::string& name, std::string_view bytes) const {
    std::ofstream(path(name), std::ios::binary) << bytes;
    return path(name);
  }
  std::string content(const std::string& name) const {
    std::ifstream file(path(name), std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }

  // Checks files one after the other and returns the problems without the names of the files.
  std::vector<std::string> check(const std::vector<std::string>& files) {
    std::vector<std::string> problems;
    names.clear();
    ArchiveCheck checking([&](std::string_view file, std::string_view problem) {
      problems.emplace_back(problem);
      names.emplace_back(file);
    });
    for (const std::string& file : files) EXPECT_TRUE(walk(file, checking)) << file;
    checking.end_archive();
    counts = checking.counts();
    EXPECT_EQ(counts.problems, problems.size());
    return problems;
  }

  const tests::TemporaryFolder folder_;
  ArchiveCheck::Counts counts;
  std::vector<std::string> names;  // the files of the problems
};

// --- the check

TEST_F(ArchiveReading, AGoodArchiveHasNoProblems) {
  const std::string info = record(
      "warcinfo", "WARC-Record-ID: <urn:uuid:9>\r\n" + std::string(kDate), "software: x\r\n");
  const std::string digest = "WARC-Payload-Digest: sha1:CH3K3DWFFIUYJK5K7V6DWULFAN4FYIDS\r\n";
  const std::string file = write("a.warc.gz", packed(info) + packed(answer(1, "/", "x")));
  EXPECT_THAT(check({file}), IsEmpty());
  EXPECT_EQ(counts.archives, 1u);
  EXPECT_EQ(counts.records, 2u);
  EXPECT_EQ(counts.digests, 0u);
  EXPECT_THAT(check({write("a.warc.gz", packed(answer(1, "/", "x", digest)))}), IsEmpty());
  EXPECT_EQ(counts.digests, 1u);
  EXPECT_THAT(check({write("b.warc.gz", packed(answer(1, "/", "a", digest)))}),
              ElementsAre(HasSubstr("the digest of the payload does not match")));
  EXPECT_EQ(counts.digests, 1u);
}

TEST_F(ArchiveReading, TheCheckNamesEachProblemAndItsPlace) {
  const std::string first = packed(answer(1, "/", "x"));
  const auto after_first = [&](const std::string& second) {
    return check({write("a.warc.gz", first + packed(second))});
  };
  const std::string at = fmt::format("offset {}: ", first.size());
  EXPECT_THAT(
      after_first(answer(2, "/", "x", "WARC-Block-Digest: sha1:" + std::string(32, 'A') + "\r\n")),
      ElementsAre(at + "the digest of the block does not match"));
  EXPECT_THAT(after_first(answer(2, "/", "x", "WARC-Block-Digest: sha1:?\r\n")),
              ElementsAre(at + "the digest of the block cannot be read"));
  const std::string uri = "WARC-Target-URI: http://a.example/\r\n";
  EXPECT_THAT(after_first(record("resource", uri + "WARC-Record-ID: <urn:uuid:2>\r\n", "x")),
              ElementsAre(at + "the record has no date"));
  EXPECT_THAT(after_first(record("resource", uri + std::string(kDate), "x")),
              ElementsAre(at + "the record has no id"));
}

TEST_F(ArchiveReading, RecordsInOneMemberAreReportedOncePerArchive) {
  const std::string three = answer(1, "/", "x") + answer(2, "/2", "x") + answer(3, "/3", "x");
  const std::string a = write("a.warc.gz", packed(three));
  const std::string b = write("b.warc.gz", packed(three));
  EXPECT_THAT(check({a, b}), ElementsAre("offset 0: records are not compressed one by one",
                                         "offset 0: records are not compressed one by one"));
  EXPECT_EQ(counts.records, 6u);
  EXPECT_THAT(names, ElementsAre(a, b));
  EXPECT_THAT(check({write("c.warc", three)}), IsEmpty()) << "without compression it is usual";
}

TEST_F(ArchiveReading, AnArchiveWithoutRecordsIsReported) {
  const std::string good = write("a.warc.gz", packed(answer(1, "/", "x")));
  const std::string empty = write("b.warc.gz", "");
  EXPECT_THAT(check({empty, good}), ElementsAre("the archive has no records"));
  EXPECT_THAT(check({good, empty}), ElementsAre("the archive has no records"));
  EXPECT_EQ(counts.archives, 2u);
  EXPECT_THAT(check({}), IsEmpty());
}

TEST_F(ArchiveReading, ACutRecordIsAFaultAndNotAlsoOneWithoutFields) {
  const std::string whole = record("resource", "WARC-Target-URI: http://a.example/\r\n", "12345");
  const auto problems = check({write("a.warc", whole.substr(0, whole.size() - 6))});
  ASSERT_EQ(problems.size(), 1u);
  EXPECT_THAT(problems[0], HasSubstr("offset "));
  EXPECT_EQ(counts.records, 1u);
}

// --- the index

TEST_F(ArchiveReading, TheIndexHasALineForEachResponse) {
  const std::string request = record("request", fields_of(7, "/b"), "GET / HTTP/1.1\r\n\r\n");
  const std::string file = write(
      "a.warc.gz", packed(request) + packed(answer(1, "/b", "x")) + packed(answer(2, "/a", "y")));
  std::vector<std::string> problems;
  ArchiveIndex index([&](std::string_view, std::string_view text) { problems.emplace_back(text); });
  ASSERT_TRUE(walk(file, index));
  EXPECT_FALSE(index.has_damage());
  const std::string lines = index.take_lines();
  EXPECT_EQ(std::ranges::count(lines, '\n'), 2);
  EXPECT_LT(lines.find("example,a)/a "), lines.find("example,a)/b ")) << lines;
  EXPECT_THAT(lines, HasSubstr("\"filename\": \"a.warc.gz\""));
  EXPECT_THAT(lines, HasSubstr("\"digest\": \"sha1:CH3K3DWFFIUYJK5K7V6DWULFAN4FYIDS\""));
  EXPECT_THAT(problems, IsEmpty());
}

TEST_F(ArchiveReading, TheIndexReportsWhatItCannotPointAt) {
  std::vector<std::string> problems;
  ArchiveIndex index([&](std::string_view, std::string_view text) { problems.emplace_back(text); });
  const std::string two = answer(1, "/", "x") + answer(2, "/2", "x");
  ASSERT_TRUE(walk(write("a.warc.gz", packed(two)), index));
  EXPECT_TRUE(index.has_damage());
  EXPECT_THAT(problems, ElementsAre(HasSubstr("offset 0: cannot index a record"),
                                    HasSubstr("offset 0: cannot index a record")));
  EXPECT_EQ(index.take_lines(), "");
}

TEST_F(ArchiveReading, TheIndexReportsDamage) {
  std::vector<std::string> problems;
  ArchiveIndex index([&](std::string_view, std::string_view text) { problems.emplace_back(text); });
  const std::string good = packed(answer(1, "/", "x"));
  ASSERT_TRUE(walk(write("a.warc.gz", good + good.substr(0, good.size() / 2)), index));
  EXPECT_TRUE(index.has_damage());
  EXPECT_THAT(problems, testing::Not(IsEmpty()));
  EXPECT_THAT(index.take_lines(), HasSubstr("example,a)/ "));
}

// --- payloads as files

class PayloadsAsFiles : public ArchiveReading {
 protected:
  // Writes the payloads of an archive to the folder "out".
  void unpack(const std::string& archive, PayloadFiles::Options options = {}) {
    auto files = PayloadFiles::open(
        path("out"), options,
        {.on_file =
             [this](std::string_view file, std::string_view url) {
               written.push_back(fmt::format("{} {}", file, url));
               return written.size() < files_max;
             },
         .on_fault =
             [this](PayloadFiles::Fault fault, std::string_view, std::string_view text) {
               faults.push_back(fmt::format("{} {}", static_cast<int>(fault), text));
             }});
    ASSERT_TRUE(files) << files.error().to_string();
    ASSERT_TRUE(walk(archive, **files));
  }

  std::vector<std::string> written;
  std::vector<std::string> faults;
  std::size_t files_max = 100;
};

TEST_F(PayloadsAsFiles, HaveTheNamesOfTheirUrls) {
  const std::string resource =
      record("resource",
             "WARC-Record-ID: <urn:uuid:5>\r\n" + std::string(kDate) +
                 "WARC-Target-URI: http://b.example/t.txt\r\nContent-Type: text/plain\r\n",
             "a text");
  const std::string request = record("request", fields_of(7, "/b"), "GET / HTTP/1.1\r\n\r\n");
  unpack(write("a.warc", answer(1, "/", "<p>") + request + answer(2, "/none", "") + resource));
  EXPECT_THAT(written, ElementsAre("a.example/index.html http://a.example/",
                                   "b.example/t.txt http://b.example/t.txt"));
  EXPECT_EQ(content("out/a.example/index.html"), "<p>");
  EXPECT_EQ(content("out/b.example/t.txt"), "a text");
  EXPECT_THAT(faults, IsEmpty());
}

TEST_F(PayloadsAsFiles, OverwriteNothing) {
  const std::string archive = write("a.warc", answer(1, "/", "<p>"));
  unpack(archive);
  std::ofstream(path("out/a.example/index.html")) << "mine";
  unpack(archive);
  EXPECT_EQ(content("out/a.example/index.html"), "mine");
  EXPECT_EQ(content("out/a.example/index~2.html"), "<p>");
  EXPECT_THAT(faults, IsEmpty());
}

TEST_F(PayloadsAsFiles, AreDecodedUnlessTheyAreWantedRaw) {
  const std::string coded = packed("decoded");
  const std::string archive =
      write("a.warc", record("response", fields_of(1, "/x"),
                             "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\n" + coded));
  unpack(archive);
  EXPECT_EQ(content("out/a.example/x"), "decoded");
  unpack(archive, {.is_raw = true});
  EXPECT_EQ(content("out/a.example/x~2"), coded);
}

TEST_F(PayloadsAsFiles, StopWhenTheCallerHasEnough) {
  files_max = 1;
  unpack(write("a.warc", answer(1, "/1", "x") + answer(2, "/2", "x")));
  EXPECT_EQ(written.size(), 1u);
}

TEST_F(PayloadsAsFiles, SayWhatIsIncompleteOrCannotBeWritten) {
  const std::string whole = answer(1, "/", "first");
  unpack(write("a.warc", whole.substr(0, whole.size() - 6)));
  EXPECT_THAT(faults, testing::Contains("1 http://a.example/ is incomplete, so it has no file"));
  EXPECT_FALSE(fs::exists(path("out/a.example/index.html")));
  fs::remove_all(path("out"));
  fs::create_directory(path("out"));
  faults.clear();
  written.clear();
  write("out/a.example", "a file where a folder must be");
  unpack(write("b.warc", answer(1, "/", "x") +
                             record("resource",
                                    "WARC-Record-ID: <urn:uuid:5>\r\n" + std::string(kDate) +
                                        "WARC-Target-URI: http://b.example/t\r\n",
                                    "y")));
  EXPECT_THAT(faults, ElementsAre(HasSubstr("2 cannot open a.example")));
  EXPECT_THAT(written, ElementsAre("b.example/t http://b.example/t")) << "others are written";
}

// --- packages and positions

TEST_F(ArchiveReading, APackageIsReadLikeItsArchives) {
  const std::string first = packed(answer(1, "/", "x"));
  write("a.warc.gz", first + packed(answer(2, "/2", "y")));
  write("b.warc.gz", packed(answer(3, "/3", "z")));
  auto files = FolderFiles::open(folder_.path());
  ASSERT_TRUE(files);
  const auto entries = index_of_file(*files, "a.warc.gz");
  ASSERT_TRUE(entries);
  ASSERT_EQ(entries->size(), 2u);
  EXPECT_EQ((*entries)[1].offset, first.size());
  EXPECT_EQ((*entries)[0].digest, "sha1:CH3K3DWFFIUYJK5K7V6DWULFAN4FYIDS");
  std::string index;
  for (const warc::CdxjEntry& entry : *entries) index += entry.to_line();
  const PackagePlan plan = {
      .archives = {"a.warc.gz", "b.warc.gz"},
      .index = index,
      .pages = "{\"format\": \"json-pages-1.0\", \"id\": \"pages\", \"title\": \"x\"}\n",
      .date = {.seconds = 1'700'000'000},
      .about = {.created = {.seconds = 1'700'000'000}, .software = "gossamer"}};
  ASSERT_TRUE(write_package(*files, "all.wacz", plan));
  EXPECT_THAT(check({path("all.wacz")}), IsEmpty());
  EXPECT_EQ(counts.archives, 2u);
  EXPECT_EQ(counts.records, 3u);
  std::string bytes = content("all.wacz");
  bytes[bytes.find("json-pages") + 2] = 'X';
  EXPECT_THAT(check({write("bad.wacz", bytes)}), testing::Not(IsEmpty()));
  EXPECT_FALSE(write_package(*files, "none.wacz", {.archives = {"missing"}}));
  EXPECT_FALSE(fs::exists(path("none.wacz")));
}

TEST_F(ArchiveReading, AnIndexHasTheLastRecordAlsoWithoutItsEnd) {
  const std::string whole = answer(1, "/", "x");
  write("a.warc", whole.substr(0, whole.size() - 4));
  auto files = FolderFiles::open(folder_.path());
  EXPECT_EQ(index_of_file(*files, "a.warc")->size(), 1u);
}

TEST_F(ArchiveReading, AnIndexEndsAtDamage) {
  const std::string good = packed(answer(1, "/", "x"));
  write("a.warc.gz", good + "damage" + good);
  auto files = FolderFiles::open(folder_.path());
  EXPECT_EQ(index_of_file(*files, "a.warc.gz")->size(), 1u);
}

TEST_F(ArchiveReading, AnOffsetMayBeTheEndAndNotLater) {
  write("a.warc", "12345");
  for (const auto& [bytes, rest] : {std::pair<std::uint64_t, std::string>(0, "12345"),
                                    std::pair<std::uint64_t, std::string>(3, "45"),
                                    std::pair<std::uint64_t, std::string>(5, "")}) {
    auto source = WarcSource::open(path("a.warc"));
    ASSERT_TRUE(source && *(*source)->next_archive());
    EXPECT_TRUE((*source)->skip(bytes));
    EXPECT_EQ(as_text(*(*source)->read()), rest);
    EXPECT_FALSE(*(*source)->next_archive()) << "there is one";
  }
  auto source = WarcSource::open(path("a.warc"));
  EXPECT_EQ((*source)->skip(6).error(), Errc::invalid_argument);
  EXPECT_EQ(WarcSource::open(path("missing")).error(), Errc::not_found);
}

TEST_F(ArchiveReading, TheIndexHasOnlyResponses) {
  const std::string request = packed(record("request", fields_of(7, "/b"), "GET / HTTP/1.1\r\n"));
  const std::string file =
      write("a.warc.gz", packed(answer(1, "/b", "x")) + request + packed(answer(2, "/a", "x")) +
                             request + packed("damage"));
  ArchiveIndex index([&](std::string_view name, std::string_view) { EXPECT_EQ(name, file); });
  ASSERT_TRUE(walk(file, index));
  EXPECT_TRUE(index.has_damage());
  EXPECT_EQ(std::ranges::count(index.take_lines(), '\n'), 2);
  auto files = FolderFiles::open(folder_.path());
  EXPECT_EQ(index_of_file(*files, "a.warc.gz")->size(), 2u);
}

TEST_F(ArchiveReading, TheIndexHasTheStatusOfAHeadThatNothingEnds) {
  const std::string head = "HTTP/1.1 204 No Content\r\nServer: x\r\n";
  const std::string file = write("a.warc.gz", packed(record("response", fields_of(1, "/"), head)));
  ArchiveIndex index([](std::string_view, std::string_view) {});
  ASSERT_TRUE(walk(file, index));
  auto files = FolderFiles::open(folder_.path());
  const auto entries = index_of_file(*files, "a.warc.gz");
  ASSERT_EQ(entries->size(), 1u);
  EXPECT_EQ(entries->front().status, "204");
  EXPECT_THAT(index.take_lines(), HasSubstr("\"status\": \"204\""));
}

TEST_F(ArchiveReading, TheCheckReadsTheStatusLineOfEachRecord) {
  const std::string old = answer(1, "/", "x");
  std::string http2 = answer(2, "/2", "x");
  http2.replace(http2.find("HTTP/1.1"), 8, "HTTP/2.0");
  const std::string file = write("a.warc.gz", packed(old) + packed(http2) + packed(old));
  EXPECT_THAT(check({file}), ElementsAre(fmt::format("offset {}: the status line says HTTP/2, "
                                                     "which many readers do not know",
                                                     packed(old).size())));
}

TEST_F(ArchiveReading, TheCheckNamesTheDamagedPackage) {
  warc::ZipWriter zip;
  std::string bytes;
  for (int i = 0; i < 2; ++i) {
    bytes += zip.begin("archive/a.warc", 0, 0, {});
  }
  const std::string file = write("a.wacz", bytes + zip.finish());
  EXPECT_THAT(check({file}), testing::Not(IsEmpty()));
  EXPECT_EQ(names.front(), file) << "equal names are reported, too";
}

}  // namespace
}  // namespace gossamer::store
