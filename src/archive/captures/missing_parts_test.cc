#include "captures/missing_parts.h"

#include <gtest/gtest.h>

#include <string>

#include "tests/support/served_archive.h"
#include "tests/support/temporary_folder.h"

namespace gossamer::captures {
namespace {

using tests::warc_record;

TEST(MissingParts, AreThoseOfPagesAndTheirStyleSheets) {
  const tests::TemporaryFolder folder;
  const std::string text =
      warc_record(
          {.url = "https://a.example/",
           .body =
               "<link rel=stylesheet href=s.css><img src=1.png><img src=2.png><a href=/page>"}) +
      warc_record({.url = "https://a.example/s.css",
                   .head = "HTTP/1.1 200 OK\r\nContent-Type: text/css\r\n\r\n",
                   .body = "a{b:url(3.png)}"}) +
      warc_record({.url = "https://a.example/1.png",
                   .head = "HTTP/1.1 200 OK\r\nContent-Type: image/png\r\n\r\n"});
  auto collection = Collection::open({tests::write_file(folder.path() + "/a.warc", text)});
  ASSERT_TRUE(collection);
  (*collection)->update(true);
  const auto found =
      find_missing_parts(**collection, "https://a.example/", {}, PartsFrom::all_crawls);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->parts, 4);
  ASSERT_EQ(found->missing.size(), 2);
  EXPECT_EQ(found->missing[0].url, "https://a.example/2.png");
  EXPECT_EQ(found->missing[0].kind, "image");
  EXPECT_EQ(found->missing[1].url, "https://a.example/3.png");
  EXPECT_EQ(found->missing[1].from, "https://a.example/s.css");
  EXPECT_FALSE(find_missing_parts(**collection, "https://b.example/", {}, PartsFrom::all_crawls));
}

}  // namespace
}  // namespace gossamer::captures
