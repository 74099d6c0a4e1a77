#include "store/archived_pages.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <tests/support/temporary_folder.h>

#include <fstream>
#include <string>
#include <string_view>
#include <vector>

namespace gossamer::store {
namespace {

std::string record_of(std::string_view fields, std::string_view block) {
  return fmt::format(
      "WARC/1.1\r\n{}WARC-Date: 2024-05-06T07:08:09Z\r\nContent-Type: application/http; "
      "msgtype=response\r\nContent-Length: {}\r\n\r\n{}\r\n\r\n",
      fields, block.size(), block);
}

std::vector<crawler::FetchRecord> pages_of(const std::string& archive) {
  const tests::TemporaryFolder folder;
  std::ofstream(folder.path() + "/crawl-00001.warc.gz", std::ios::binary) << archive;
  std::vector<crawler::FetchRecord> pages;
  const auto read = for_each_archived_page(
      folder.path(), [&pages](crawler::FetchRecord page) { pages.push_back(std::move(page)); });
  EXPECT_TRUE(read) << read.error().to_string();
  EXPECT_EQ(read->faults, 0U);
  return pages;
}

constexpr std::string_view kPage =
    "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<title>Flint</title>";

TEST(ArchivedPages, HaveWhatTheirRecordsSay) {
  const auto pages =
      pages_of(record_of("WARC-Type: response\r\nWARC-Record-ID: <urn:uuid:1>\r\n"
                         "WARC-Target-URI: http://a.example/\r\n",
                         kPage));
  ASSERT_EQ(pages.size(), 1U);
  EXPECT_EQ(pages[0].url, "http://a.example/");
  EXPECT_EQ(pages[0].title, "Flint");
  EXPECT_FALSE(pages[0].is_truncated);
}

TEST(ArchivedPages, AreTruncatedIfTheirRecordsAre) {
  const auto pages =
      pages_of(record_of("WARC-Type: response\r\nWARC-Record-ID: <urn:uuid:1>\r\n"
                         "WARC-Target-URI: http://a.example/\r\n"
                         "WARC-Truncated: length\r\n",
                         kPage));
  ASSERT_EQ(pages.size(), 1U);
  EXPECT_TRUE(pages[0].is_truncated);
}

TEST(ArchivedPages, HaveTheBodyThatARevisitRefersTo) {
  const auto pages = pages_of(record_of("WARC-Type: response\r\nWARC-Record-ID: <urn:uuid:1>\r\n"
                                        "WARC-Target-URI: http://a.example/\r\n",
                                        kPage) +
                              record_of("WARC-Type: revisit\r\nWARC-Record-ID: <urn:uuid:2>\r\n"
                                        "WARC-Target-URI: http://a.example/b\r\n"
                                        "WARC-Refers-To: <urn:uuid:1>\r\n",
                                        "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n"));
  ASSERT_EQ(pages.size(), 2U);
  EXPECT_EQ(pages[1].url, "http://a.example/b");
  EXPECT_EQ(pages[1].title, "Flint");
  EXPECT_EQ(pages[1].digest, pages[0].digest);
}

}  // namespace
}  // namespace gossamer::store
