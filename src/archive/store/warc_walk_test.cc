#include "store/warc_walk.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <tests/support/open_descriptors.h>
#include <tests/support/temporary_folder.h>
#include <unistd.h>

#include <fstream>
#include <iterator>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "store/warc_source.h"
#include "warc/zip_writer.h"

namespace gossamer::store {
namespace {

using ::testing::ElementsAre;

constexpr std::size_t kManyBytes = 600'000;  // of several pieces

std::string warcinfo(std::string_view id) {
  return "WARC/1.1\r\nWARC-Type: warcinfo\r\nWARC-Record-ID: <urn:x:" + std::string(id) +
         ">\r\nWARC-Date: 2024-05-06T07:08:09Z\r\nContent-Length: 2\r\n\r\nhi\r\n\r\n";
}

std::string many_bytes() {
  std::string text;
  while (text.size() < kManyBytes) text += std::to_string(text.size()) + " ";
  return text;
}

// A package with members of these names and contents.
std::string package(const std::vector<std::pair<std::string, std::string>>& members) {
  warc::ZipWriter writer;
  std::string file;
  for (const auto& [name, content] : members) {
    file += writer.begin(name, content.size(), warc::crc32_of(as_bytes(content)), {});
    file += content;
  }
  return file + writer.finish();
}

class WarcWalkTest : public testing::Test {
 protected:
  std::string put(const std::string& name, std::string_view content) const {
    const std::string path = folder_.path() + "/" + name;
    std::ofstream(path, std::ios::binary) << content;
    return path;
  }

  tests::TemporaryFolder folder_;
};

// Reads the rest of the current archive.
std::string rest_of(WarcSource& source) {
  std::string text;
  for (;;) {
    const auto piece = source.read();
    EXPECT_TRUE(piece) << piece.error().to_string();
    if (!piece || piece->empty()) return text;
    text += as_text(*piece);
  }
}

TEST_F(WarcWalkTest, AFileIsOneArchive) {
  const std::string content = many_bytes();
  const std::string path = put("a.warc", content);
  const auto source = *WarcSource::open(path);
  EXPECT_EQ(source->package(), nullptr);
  EXPECT_TRUE(source->check_names());
  EXPECT_TRUE(source->next_archive().value_or(false));
  EXPECT_EQ(source->path(), path);
  EXPECT_EQ(source->name(), path);
  EXPECT_EQ(source->file_name(), "a.warc");
  EXPECT_TRUE(rest_of(*source) == content);
  EXPECT_FALSE(source->next_archive().value_or(true));
}

TEST_F(WarcWalkTest, AFileThatIsMissingIsAnError) {
  EXPECT_EQ(WarcSource::open(folder_.path() + "/none.warc").error(), Errc::not_found);
  EXPECT_FALSE(WarcSource::open(folder_.path())) << "a folder cannot be read";
}

TEST_F(WarcWalkTest, SkipsToAnyOffset) {
  const std::string content = many_bytes();
  const std::string path = put("a.warc", content);
  for (const std::size_t offset : {0UZ, 1UZ, 262'143UZ, 262'144UZ, 262'145UZ, content.size()}) {
    const auto source = *WarcSource::open(path);
    EXPECT_TRUE(source->next_archive().value_or(false));
    EXPECT_TRUE(source->skip(offset));
    EXPECT_TRUE(rest_of(*source) == content.substr(offset)) << offset;
  }
  const auto source = *WarcSource::open(path);
  EXPECT_TRUE(source->next_archive().value_or(false));
  EXPECT_EQ(source->skip(content.size() + 1).error(), Errc::invalid_argument);
}

TEST_F(WarcWalkTest, APackageHasTheArchivesOfItsFolder) {
  const std::string content = many_bytes();
  const std::string path = put("a.wacz", package({{"archive/one.warc", content},
                                                  {"pages/pages.jsonl", "{}"},
                                                  {"archive/two.warc", warcinfo("2")}}));
  const auto source = *WarcSource::open(path);
  ASSERT_NE(source->package(), nullptr);
  EXPECT_EQ(source->package()->entries().size(), 3u);
  EXPECT_TRUE(source->next_archive().value_or(false));
  EXPECT_EQ(source->name(), path + "/archive/one.warc");
  EXPECT_EQ(source->file_name(), "one.warc");
  EXPECT_TRUE(source->skip(7));
  EXPECT_TRUE(rest_of(*source) == content.substr(7));
  EXPECT_TRUE(source->next_archive().value_or(false));
  EXPECT_EQ(rest_of(*source), warcinfo("2"));
  EXPECT_FALSE(source->next_archive().value_or(true));
}

TEST_F(WarcWalkTest, APackageIsReadFromAPipe) {
  const std::string bytes = package({{"archive/one.warc", warcinfo("1")}});
  int ends[2] = {};
  ASSERT_EQ(pipe(ends), 0);
  ASSERT_EQ(write(ends[1], bytes.data(), bytes.size()), static_cast<ssize_t>(bytes.size()));
  close(ends[1]);
  const auto source = WarcSource::open("/proc/self/fd/" + std::to_string(ends[0]));
  ASSERT_TRUE(source) << source.error().to_string();
  ASSERT_NE((*source)->package(), nullptr);
  EXPECT_TRUE((*source)->next_archive().value_or(false));
  EXPECT_EQ(rest_of(**source), warcinfo("1"));
  close(ends[0]);
}

TEST_F(WarcWalkTest, AnArchiveOfAPackageCanBeLeftInTheMiddle) {
  const std::string path = put(
      "a.wacz", package({{"archive/one.warc", many_bytes()}, {"archive/two.warc", warcinfo("2")}}));
  const auto source = *WarcSource::open(path);
  EXPECT_TRUE(source->next_archive().value_or(false));
  EXPECT_TRUE(source->skip(1));
  EXPECT_TRUE(source->next_archive().value_or(false));
  EXPECT_EQ(rest_of(*source), warcinfo("2"));
}

TEST_F(WarcWalkTest, ADamagedPackageIsAnError) {
  std::string bytes = package({{"archive/one.warc", "x"}});
  bytes.resize(bytes.size() - 10);
  EXPECT_EQ(WarcSource::open(put("a.wacz", bytes)).error(), Errc::malformed);
}

// Notes what it is shown, and is satisfied after some records.
class NotingVisitor final : public RecordVisitor {
 public:
  explicit NotingVisitor(std::size_t records_max = 100) : records_max_(records_max) {}

  void begin_file(const WarcSource&) override { notes.emplace_back("file"); }
  void begin_archive(const WarcSource& source) override { notes.push_back(source.file_name()); }
  void begin_record(const warc::RecordHead& head, const warc::Extent& extent) override {
    notes.push_back(std::string(head.record_id()) + " at " + std::to_string(extent.member_offset));
  }
  void block(Bytes piece) override { notes.emplace_back(as_text(piece)); }
  void end_record(const warc::RecordHead&, const warc::Extent&) override { ++records_; }
  void fault(const warc::Fault&) override { notes.emplace_back("fault"); }
  bool reports_names() const override { return does_report_names; }
  bool is_satisfied() const override { return records_ >= records_max_; }

  std::vector<std::string> notes;
  bool does_report_names = false;

 private:
  const std::size_t records_max_;
  std::size_t records_ = 0;
};

TEST_F(WarcWalkTest, EveryRecordIsShownInOrder) {
  const std::string first = warcinfo("1");
  NotingVisitor visitor;
  ASSERT_TRUE(walk(put("a.warc", first + warcinfo("2")), visitor));
  EXPECT_THAT(visitor.notes, ElementsAre("file", "a.warc", "<urn:x:1> at 0", "hi",
                                         "<urn:x:2> at " + std::to_string(first.size()), "hi"));
}

TEST_F(WarcWalkTest, EveryArchiveOfAPackageIsShown) {
  NotingVisitor visitor;
  ASSERT_TRUE(walk(put("a.wacz", package({{"archive/one.warc", warcinfo("1")},
                                          {"archive/two.warc", warcinfo("2")}})),
                   visitor));
  EXPECT_THAT(visitor.notes, ElementsAre("file", "one.warc", "<urn:x:1> at 0", "hi", "two.warc",
                                         "<urn:x:2> at 0", "hi"));
}

TEST_F(WarcWalkTest, ASatisfiedVisitorIsShownNothingMore) {
  const std::string package_path =
      put("a.wacz", package({{"archive/one.warc", warcinfo("1") + warcinfo("2")},
                             {"archive/two.warc", warcinfo("3")}}));
  NotingVisitor visitor(1);
  ASSERT_TRUE(walk(package_path, visitor));
  EXPECT_THAT(visitor.notes, ElementsAre("file", "one.warc", "<urn:x:1> at 0", "hi"));
}

TEST_F(WarcWalkTest, AFaultIsShown) {
  NotingVisitor visitor;
  ASSERT_TRUE(walk(put("a.warc", "no archive at all\r\n\r\n"), visitor));
  EXPECT_THAT(visitor.notes, testing::Contains("fault"));
}

TEST_F(WarcWalkTest, APackageWithEqualNamesIsReadOnlyByThoseWhoReportThem) {
  const std::string path =
      put("a.wacz",
          package({{"archive/one.warc", warcinfo("1")}, {"archive/one.warc", warcinfo("2")}}));
  NotingVisitor visitor;
  EXPECT_EQ(walk(path, visitor).error(), Errc::malformed);
  NotingVisitor reporting;
  reporting.does_report_names = true;
  EXPECT_TRUE(walk(path, reporting));
  EXPECT_EQ(reporting.notes.size(), 7u);
}

class PlainVisitor final : public RecordVisitor {};

TEST_F(WarcWalkTest, VisitorsDoNotReportNamesUnlessTheySaySo) {
  const std::string path =
      put("a.wacz",
          package({{"archive/one.warc", warcinfo("1")}, {"archive/one.warc", warcinfo("2")}}));
  PlainVisitor visitor;
  EXPECT_EQ(walk(path, visitor).error(), Errc::malformed);
}

TEST_F(WarcWalkTest, ASourceUnmapsItsPackage) {
  const std::string path = put("mapped.wacz", package({{"archive/a.warc", warcinfo("1")}}));
  const auto is_mapped = [&] {
    std::ifstream maps("/proc/self/maps");
    const std::string all(std::istreambuf_iterator<char>(maps), {});
    return all.contains(path);
  };
  {
    const auto source = WarcSource::open(path);
    EXPECT_TRUE(is_mapped()) << "a package is not read into memory";
  }
  EXPECT_FALSE(is_mapped());
}

TEST_F(WarcWalkTest, ASourceClosesItsFileAndNotStandardInput) {
  const std::string path = put("a.warc", warcinfo("1"));
  const std::size_t before = support::open_descriptors();
  {
    const auto source = WarcSource::open(path);
  }
  {
    const auto source = WarcSource::open(put("a.wacz", package({{"archive/a.warc", "x"}})));
  }
  EXPECT_EQ(support::open_descriptors(), before);
  const int input = dup(STDIN_FILENO);
  const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  ASSERT_EQ(dup2(file, STDIN_FILENO), STDIN_FILENO);
  close(file);
  {
    const auto source = WarcSource::open("-");
    ASSERT_TRUE(source) << source.error().to_string();
    EXPECT_TRUE((*source)->next_archive().value_or(false));
    EXPECT_EQ(rest_of(**source), warcinfo("1"));
  }
  EXPECT_NE(fcntl(STDIN_FILENO, F_GETFD), -1) << "it is still open";
  if (input >= 0) {
    dup2(input, STDIN_FILENO);
    close(input);
  }
}

}  // namespace
}  // namespace gossamer::store
