#include "captures/archived_answers.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <string_view>
#include <utility>

#include "tests/support/served_archive.h"
#include "tests/support/temporary_folder.h"
#include "warc/record_writer.h"

namespace gossamer::captures {
namespace {

namespace fs = std::filesystem;

class Payload final : public warc::PayloadSink {
 public:
  void put(Bytes piece) override { text += as_text(piece); }
  std::string text;
};

std::string answer(int number, std::string_view body, std::string_view fields = "") {
  return tests::warc_record({.url = "http://a.example/",
                             .body = body,
                             .id = fmt::format("<urn:uuid:{}>", number),
                             .fields = fields});
}
std::string revisit(int number, int original) {
  return tests::warc_record({.url = "http://a.example/",
                             .head = "HTTP/1.1 200 OK\r\n\r\n",
                             .id = fmt::format("<urn:uuid:{}>", number),
                             .fields = fmt::format("WARC-Refers-To: <urn:uuid:{}>\r\n", original),
                             .type = "revisit"});
}
std::string packed(std::string_view bytes) {
  std::string out;
  warc::MemberWriter writer;
  writer.write(as_bytes(bytes), out);
  writer.finish(out);
  return out;
}

class ArchivedAnswersTest : public testing::Test {
 protected:
  std::string path(const std::string& name) const { return folder_.path() + "/" + name; }
  void write(const std::string& name, std::string_view bytes) const {
    tests::write_file(path(name), bytes);
  }
  Result<warc::Answer> read(const std::string& file, std::uint64_t offset = 0) {
    payload_.text.clear();
    return answers_.read({.file = file, .offset = offset, .length = 0}, payload_);
  }
  // Reads an answer that must be there, and returns its body.
  std::string whole_body(const std::string& file, std::uint64_t offset = 0) {
    const auto answer = read(file, offset);
    EXPECT_TRUE(answer) << answer.error().to_string();
    EXPECT_TRUE(answer && answer->is_whole);
    return payload_.text;
  }

  const tests::TemporaryFolder folder_;
  ArchivedAnswers answers_{folder_.path()};
  Payload payload_;
};

TEST_F(ArchivedAnswersTest, AResponseIsFoundAtItsPlace) {
  const std::string first = packed(answer(1, "first"));
  write("a.warc.gz", first + packed(answer(2, "second")));
  EXPECT_EQ(whole_body("a.warc.gz"), "first");
  EXPECT_EQ(whole_body("a.warc.gz", first.size()), "second");
}

TEST_F(ArchivedAnswersTest, AnUnfinishedFileIsReadToo) {
  write("a.warc.gz.open", packed(answer(1, "first")));
  EXPECT_EQ(whole_body("a.warc.gz"), "first");
  EXPECT_EQ(read("b.warc.gz").error(), Errc::not_found);
}

TEST_F(ArchivedAnswersTest, ARevisitHasTheHeadAndThePayloadOfItsOriginal) {
  write("a.warc.gz", packed(answer(1, "no")) + packed(answer(2, "the one")));
  write("b.warc.gz", packed(revisit(3, 2)) + packed(answer(4, "nor this")));
  write("notes.txt", "not an archive");
  for (int i = 0; i < 2; ++i) {  // the second one uses the same index
    EXPECT_EQ(whole_body("b.warc.gz"), "the one");
  }
  EXPECT_EQ(read("b.warc.gz")->type(), "text/html");
  write("c.warc.gz", packed(revisit(5, 77)));
  EXPECT_EQ(read("c.warc.gz").error(), Errc::not_found);
}

TEST_F(ArchivedAnswersTest, OnlyAnswersOfThisFolderAreRead) {
  write("a.warc.gz", packed(tests::warc_record({.url = "http://a.example/", .type = "request"})) +
                         packed(answer(1, "another")));
  EXPECT_EQ(read("a.warc.gz").error(), Errc::malformed);
  EXPECT_EQ(read("../a.warc.gz").error(), Errc::malformed);
  EXPECT_EQ(payload_.text, "");
}

TEST_F(ArchivedAnswersTest, ARecordBehindDamageIsAnother) {
  write("a.warc.gz", "damage" + packed(answer(1, "another")));
  EXPECT_EQ(read("a.warc.gz").error(), Errc::malformed);
  EXPECT_EQ(payload_.text, "");
}

TEST_F(ArchivedAnswersTest, LinksAreNotFollowed) {
  write("real.warc.gz", packed(answer(1, "hello")));
  fs::create_symlink(path("real.warc.gz"), path("link.warc.gz"));
  fs::create_directory_symlink(folder_.path(), path("archive"));
  EXPECT_TRUE(read("real.warc.gz"));
  EXPECT_EQ(read("link.warc.gz").error(), Errc::io_failed);
  ArchivedAnswers linked(path("archive"));
  EXPECT_EQ(linked.read({.file = "real.warc.gz", .offset = 0, .length = 0}, payload_).error(),
            Errc::io_failed);
}

TEST_F(ArchivedAnswersTest, ACutResponseIsNotWholeNorAreItsRevisits) {
  const std::string whole = answer(2, "the one");
  write("a.warc", whole.substr(0, whole.size() - 6));
  write("b.warc.gz", packed(revisit(3, 2)));
  write("c.warc.gz", packed(answer(4, "a part", "WARC-Truncated: length\r\n")));
  for (const std::string file : {"a.warc", "b.warc.gz", "c.warc.gz"}) {
    const auto answer = read(file);
    ASSERT_TRUE(answer) << file << answer.error().to_string();
    EXPECT_FALSE(answer->is_whole) << file;
  }
}

}  // namespace
}  // namespace gossamer::captures
