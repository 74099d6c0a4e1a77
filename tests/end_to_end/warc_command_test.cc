// Tests `gossamer warc` on archives of our writer, intact and damaged.
#include <gtest/gtest.h>

#include <array>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tests/support/cdxj_line.h"
#include "tests/support/command_run.h"
#include "warc/cdxj.h"
#include "warc/record_writer.h"
#include "warc/wacz.h"

namespace gossamer {
namespace {

using support::CommandRun;
using support::file_content;
using support::lines_of;
using support::TestFolder;

constexpr WallTime kDate = {.seconds = 1'488'772'926};

warc::RecordId id_of(int number) {
  std::array<std::byte, 16> bytes = {};
  bytes.fill(static_cast<std::byte>(number));
  return warc::RecordId(bytes);
}

warc::RecordDraft page(int number, const std::string& url, std::string_view body) {
  return warc::response_record(
      id_of(number), {.target_uri = url, .date = kDate},
      {.head = "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n", .payload = as_bytes(body)});
}

// A request, three pages of which two want the same place on disk and one a place it must not have.
std::string archive() {
  std::string file;
  warc::RecordWriter writer;
  const warc::Capture capture = {.target_uri = "http://a.example/", .date = kDate};
  writer.append(warc::request_record(id_of(1), capture, id_of(2),
                                     as_bytes("GET / HTTP/1.1\r\nHost: a.example\r\n\r\n")),
                file);
  writer.append(page(2, "http://a.example/", "<p>first"), file);
  writer.append(page(3, "http://a.example/index", "<p>second"), file);
  writer.append(page(4, "http://a.example/..%2f..%2f..%2fescaped", "<p>third"), file);
  return file;
}

std::string package() {
  const std::string content = archive();
  warc::WaczWriter writer(kDate);
  std::string file =
      writer.begin("archive/data.warc.gz", warc::facts_of_content(as_bytes(content)));
  file += content;
  return file += writer.finish({.created = kDate, .software = "test"});
}

TEST(WarcCommand, ListsTheRecords) {
  const TestFolder folder;
  const std::string file = folder.write("a.warc.gz", archive());
  CommandRun run({"warc", "ls", file});
  EXPECT_EQ(run.wait(), 0) << run.err();
  const auto lines = run.out_lines();
  ASSERT_EQ(lines.size(), 4U);
  EXPECT_TRUE(lines[0].starts_with("0\t")) << lines[0];
  EXPECT_TRUE(
      lines[1].ends_with("\tresponse\t2017-03-06T04:02:06.000Z\t200\ttext/html\t"
                         "http://a.example/"))
      << lines[1];
}

TEST(WarcCommand, ListsTheRecordsAsJson) {
  const TestFolder folder;
  const std::string file = folder.write("a.warc.gz", archive());
  CommandRun run({"warc", "ls", "--json", "--type", "response", file});
  EXPECT_EQ(run.wait(), 0) << run.err();
  const auto lines = run.out_lines();
  ASSERT_EQ(lines.size(), 3U);
  const auto record = nlohmann::json::parse(lines[0]);
  EXPECT_EQ(record["status"], 200);
  EXPECT_EQ(record["url"], "http://a.example/");
  EXPECT_EQ(record["fields"][0][1], "response");
  EXPECT_EQ(record["http_start"], "HTTP/1.1 200 OK");
}

TEST(WarcCommand, ReadsStandardInputAndPackages) {
  CommandRun stream({"warc", "check", "-"}, {.input = archive()});
  EXPECT_EQ(stream.wait(), 0) << stream.err();
  EXPECT_EQ(stream.out(), "archives: 1, records: 4, with digests: 4, problems: 0\n");
  const TestFolder folder;
  CommandRun file({"warc", "check", folder.write("a.wacz", package())});
  EXPECT_EQ(file.wait(), 0) << file.err();
  EXPECT_EQ(file.out(), stream.out());
  CommandRun both({"warc", "check", "-"}, {.input = package()});
  EXPECT_EQ(both.wait(), 0) << both.err();
}

TEST(WarcCommand, PrintsARecordOrItsPayload) {
  const TestFolder folder;
  const std::string file = folder.write("a.warc.gz", archive());
  CommandRun by_url({"warc", "cat", file, "--url", "http://a.example/index", "--payload"});
  EXPECT_EQ(by_url.wait(), 0) << by_url.err();
  EXPECT_EQ(by_url.out(), "<p>second");
  CommandRun list({"warc", "ls", file});
  list.wait();
  const std::string line = list.out_lines().at(2);
  const std::string offset = line.substr(0, line.find('\t'));
  CommandRun by_offset({"warc", "cat", file, "--offset", offset});
  EXPECT_EQ(by_offset.wait(), 0) << by_offset.err();
  EXPECT_TRUE(by_offset.out().starts_with("WARC/1.1\r\nWARC-Type: response\r\n"));
  EXPECT_TRUE(by_offset.out().ends_with("<p>second"));
  CommandRun nowhere({"warc", "cat", file, "--url", "http://b.example/"});
  EXPECT_EQ(nowhere.wait(), 1);
  CommandRun amiss({"warc", "cat", file, "--offset", "3"});
  EXPECT_EQ(amiss.wait(), 1);
}

TEST(WarcCommand, IndexesSoThatRecordsAreFound) {
  const TestFolder folder;
  const std::string content = archive();
  const std::string file = folder.write("a.warc.gz", content);
  CommandRun run({"warc", "index", file, "-o", folder.file("a.cdxj")});
  EXPECT_EQ(run.wait(), 0) << run.err();
  const std::string text = file_content(folder.file("a.cdxj"));
  ASSERT_EQ(lines_of(text).size(), 3U);
  const std::string key = warc::capture_key("http://a.example/index") + ' ';
  const auto lines = lines_of(text);
  const auto line = *std::ranges::find_if(
      lines, [&key](const std::string& each) { return each.starts_with(key); });
  const auto entry = warc::read_cdxj_line(line);
  ASSERT_TRUE(entry.has_value()) << line;
  EXPECT_EQ(entry->filename, "a.warc.gz");
  // What the index says can be cut out is an archive by itself.
  CommandRun cut({"warc", "cat", "-", "--payload"},
                 {.input = content.substr(entry->offset, entry->length)});
  EXPECT_EQ(cut.wait(), 0) << cut.err();
  EXPECT_EQ(cut.out(), "<p>second");
}

TEST(WarcCommand, ExtractsWithoutLeavingTheFolder) {
  const TestFolder folder;
  const std::string file = folder.write("a.warc.gz", archive());
  const std::string output = folder.file("deep/er");
  std::filesystem::create_directories(folder.file("deep"));
  CommandRun run({"warc", "extract", file, "-o", output});
  EXPECT_EQ(run.wait(), 0) << run.err();
  EXPECT_EQ(run.out_lines().size(), 3U);
  EXPECT_EQ(file_content(output + "/a.example/index.html"), "<p>first");
  EXPECT_EQ(file_content(output + "/a.example/index~2.html"), "<p>second");
  int files = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder.path())) {
    if (!entry.is_regular_file() || entry.path() == file) continue;
    EXPECT_TRUE(entry.path().string().starts_with(output + "/a.example/")) << entry.path();
    ++files;
  }
  EXPECT_EQ(files, 3);
  // Again: nothing is overwritten.
  CommandRun again({"warc", "extract", file, "-o", output});
  EXPECT_EQ(again.wait(), 0) << again.err();
  EXPECT_EQ(file_content(output + "/a.example/index~3.html"), "<p>first");
}

TEST(WarcCommand, DoesNotFollowLinksThatLieInTheFolder) {
  const TestFolder folder;
  const std::string file = folder.write("a.warc.gz", archive());
  std::filesystem::create_directories(folder.file("out"));
  std::filesystem::create_directories(folder.file("elsewhere"));
  std::filesystem::create_directory_symlink(folder.file("elsewhere"), folder.file("out/a.example"));
  CommandRun run({"warc", "extract", file, "-o", folder.file("out")});
  EXPECT_EQ(run.wait(), 3);
  EXPECT_TRUE(std::filesystem::is_empty(folder.file("elsewhere")));
}

TEST(WarcCommand, SaysWhatIsDamaged) {
  const TestFolder folder;
  std::string content = archive();
  content[content.size() - 6] = static_cast<char>(content[content.size() - 6] ^ 1);
  const std::string damaged = folder.write("damaged.warc.gz", content);
  CommandRun run({"warc", "check", damaged});
  EXPECT_EQ(run.wait(), 1);
  EXPECT_NE(run.err().find("damaged compressed data"), std::string::npos) << run.err();
  std::string plain;
  warc::RecordWriter({.compress = false}).append(page(1, "http://a.example/", "<p>text"), plain);
  plain.replace(plain.find("<p>text"), 7, "<p>tExt");
  CommandRun digest({"warc", "check", folder.write("wrong.warc", plain)});
  EXPECT_EQ(digest.wait(), 1);
  EXPECT_NE(digest.err().find("the digest of the payload does not match"), std::string::npos);
  CommandRun missing({"warc", "check", folder.file("missing")});
  EXPECT_EQ(missing.wait(), 3);
  std::string broken = package();
  broken[100] = static_cast<char>(broken[100] ^ 1);
  CommandRun changed({"warc", "check", folder.write("broken.wacz", broken)});
  EXPECT_EQ(changed.wait(), 1) << changed.err();
  CommandRun wrong({"warc", "list"});
  EXPECT_EQ(wrong.wait(), 2);
}

TEST(WarcCommand, SaysThatAPayloadBreaksOff) {
  const TestFolder folder;
  const std::string head = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n";
  const auto record =
      warc::response_record(id_of(1), {.target_uri = "http://a.example/x.txt", .date = kDate},
                            {.head = head, .payload = as_bytes("5\r\nhello\r\nZZ\r\nlost")});
  std::string content;
  warc::RecordWriter().append(record, content);
  const std::string file = folder.write("a.warc.gz", content);
  CommandRun printed({"warc", "cat", file, "--payload"});
  EXPECT_EQ(printed.wait(), 1);
  EXPECT_EQ(printed.out(), "hello");
  EXPECT_NE(printed.err().find("the payload is incomplete"), std::string::npos) << printed.err();
  CommandRun extracted({"warc", "extract", file, "-o", folder.file("out")});
  EXPECT_EQ(extracted.wait(), 1);
  EXPECT_NE(extracted.err().find("is incomplete"), std::string::npos) << extracted.err();
}

TEST(WarcCommand, SaysThatAPackageHasNoArchive) {
  const TestFolder folder;
  warc::WaczWriter writer(kDate);
  const std::string file =
      folder.write("a.wacz", writer.finish({.created = kDate, .software = "test"}));
  CommandRun run({"warc", "cat", file, "--offset", "3"});
  EXPECT_EQ(run.wait(), 3);
  EXPECT_NE(run.err().find("there are no files in archive/"), std::string::npos) << run.err();
}

}  // namespace
}  // namespace gossamer
