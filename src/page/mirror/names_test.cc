#include "mirror/names.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <set>
#include <string>
#include <vector>

#include "base/ascii.h"
#include "base/escape.h"

namespace gossamer::mirror {
namespace {

std::string name_of(Names& names, std::string_view url, std::string_view mime = "text/html") {
  const auto parsed = url::Url::parse(url);
  EXPECT_TRUE(parsed) << url;
  return names.name_for(*parsed, mime);
}

std::string name_of(std::string_view url, std::string_view mime = "text/html") {
  Names names;
  return name_of(names, url, mime);
}

TEST(MirrorNames, AreHostAndPath) {
  EXPECT_EQ(name_of("https://a.example/b/c.html"), "a.example/b/c.html");
  EXPECT_EQ(name_of("http://a.example:8080/x.png", "image/png"), "a.example+8080/x.png");
  EXPECT_EQ(name_of("http://a.example/%70%65ople/caf%c3%a9%2f.html"),
            "a.example/people/caf\xC3\xA9%2F.html");
  EXPECT_EQ(name_of("http://a.example/\u7f8e\u8853/\u0444.html"),
            "a.example/\u7f8e\u8853/\u0444.html");
  EXPECT_EQ(name_of("http://a.example/a%E2%80%AEb%C2%9Bc%FF%E2%80%8B.html"),
            "a.example/a%E2%80%AEb%C2%9Bc%FF%E2%80%8B.html")
      << "what cannot be seen or is no UTF-8 stays escaped";
  EXPECT_EQ(name_of("http://[::1]:80/x.css", "text/css"), "%5B++1%5D/x.css");
}

TEST(MirrorNames, AreIndexesForFolders) {
  EXPECT_EQ(name_of("https://a.example/"), "a.example/index.html");
  EXPECT_EQ(name_of("https://a.example/b/"), "a.example/b/index.html");
  EXPECT_EQ(name_of("https://a.example/feed/", "text/xml"), "a.example/feed/index.xml");
}

TEST(MirrorNames, HaveTheExtensionThatBrowsersGoBy) {
  EXPECT_EQ(name_of("https://a.example/b"), "a.example/b.html");
  EXPECT_EQ(name_of("https://a.example/b.php"), "a.example/b.php.html");
  EXPECT_EQ(name_of("https://a.example/b.HTM"), "a.example/b.HTM");
  EXPECT_EQ(name_of("https://a.example/css.php", "text/css"), "a.example/css.php.css");
  EXPECT_EQ(name_of("https://a.example/pic.jpeg", "image/jpeg"), "a.example/pic.jpeg");
  EXPECT_EQ(name_of("https://a.example/data", "application/x-own"), "a.example/data");
  EXPECT_EQ(name_of("https://a.example/pic.php", "image/png"), "a.example/pic.php.png");
  EXPECT_EQ(name_of("https://a.example/pic.jpg", "image/webp"), "a.example/pic.jpg");
  EXPECT_EQ(name_of("https://a.example/pic.v2", "image/gif"), "a.example/pic.v2.gif");
  EXPECT_EQ(name_of("https://a.example/get.ASPX", "application/pdf"), "a.example/get.ASPX.pdf");
  EXPECT_EQ(name_of("https://a.example/main.c", "text/plain"), "a.example/main.c");
}

TEST(MirrorNames, AreNotWindowsDevices) {
  EXPECT_EQ(name_of("https://a.example/con.html"), "a.example/con~.html");
  EXPECT_EQ(name_of("https://a.example/NUL/aux.tar.gz", "application/gzip"),
            "a.example/NUL~/aux~.tar.gz");
  EXPECT_EQ(name_of("https://a.example/com1"), "a.example/com1~.html");
  EXPECT_EQ(name_of("https://con/lpt9.png", "image/png"), "con~/lpt9~.png");
  EXPECT_EQ(name_of("https://a.example/contact/com10.html"), "a.example/contact/com10.html");
  EXPECT_EQ(name_of("https://a.example/com/con-1.html"), "a.example/com/con-1.html");
}

TEST(MirrorNames, TellQueriesApart) {
  Names names;
  const std::string one = name_of(names, "https://a.example/list?page=1");
  const std::string two = name_of(names, "https://a.example/list?page=2");
  EXPECT_EQ(one, "a.example/list@page=1.html");
  EXPECT_EQ(two, "a.example/list@page=2.html");
  EXPECT_THAT(name_of(names, "https://a.example/list?page=%31"),
              testing::MatchesRegex("a.example/list@page=1~[0-9a-f]+\\.html"));
  EXPECT_THAT(name_of(names, "https://a.example/list?" + std::string(100, 'x')),
              testing::MatchesRegex("a.example/list@x+~[0-9a-f]+\\.html"));
  EXPECT_THAT(name_of(names, "https://a.example/q?../../x&y/z"), testing::HasSubstr("%2F"));
}

TEST(MirrorNames, AreNotThoseOfFolders) {
  Names names;
  EXPECT_EQ(name_of(names, "https://a.example/a", "image/x"), "a.example/a");
  EXPECT_THAT(name_of(names, "https://a.example/a/b.html"),
              testing::MatchesRegex("a.example/a~[0-9a-f]+/b.html"));
  EXPECT_EQ(name_of(names, "https://a.example/c/d.html"), "a.example/c/d.html");
  EXPECT_THAT(name_of(names, "https://a.example/c", "image/x"),
              testing::MatchesRegex("a.example/c~[0-9a-f]+"));
}

TEST(MirrorNames, DifferInMoreThanCase) {
  Names names;
  EXPECT_EQ(name_of(names, "https://a.example/Read.html"), "a.example/Read.html");
  EXPECT_THAT(name_of(names, "https://a.example/read.html"),
              testing::MatchesRegex("a.example/read~[0-9a-f]+.html"));
  EXPECT_EQ(name_of(names, "https://a.example/\u00c4.html"), "a.example/\u00c4.html");
  for (const char* other : {"\u00e4", "A\u0308", "a\u0308"}) {
    EXPECT_THAT(name_of(names, "https://a.example/" + std::string(other) + ".html"),
                testing::HasSubstr("~"));
  }
  // Folders that are the same on some systems share a name; the files in them differ.
  EXPECT_EQ(name_of(names, "https://a.example/Dir/x.html"), "a.example/Dir/x.html");
  EXPECT_THAT(name_of(names, "https://a.example/dir/x.html"),
              testing::MatchesRegex("a.example/dir/x~[0-9a-f]+.html"));
}

// The rules for every name, whatever the URL.
void expect_safe(const std::string& name) {
  EXPECT_LE(name.size(), Names::kBytesMax);
  EXPECT_NE(name.find('/'), std::string::npos) << name;
  std::size_t begin = 0;
  while (begin <= name.size()) {
    const std::size_t end = std::min(name.find('/', begin), name.size());
    const std::string part = name.substr(begin, end - begin);
    EXPECT_FALSE(part.empty() || part.starts_with('.') || part.ends_with('.')) << name;
    EXPECT_LE(part.size(), Names::kPartBytesMax) << name;
    begin = end + 1;
  }
  for (const char c : base::escape_for_terminal(name)) {
    const bool is_plain = (c & 0x80) != 0 || std::isalnum(static_cast<unsigned char>(c)) != 0 ||
                          std::string_view("-_.~=+@%/").contains(c);
    EXPECT_TRUE(is_plain) << name;
  }
}

// `rm *` and `tar cf x *` in the folder of a copy must see no option.
TEST(MirrorNames, DoNotBeginWithADash) {
  Names names;
  for (const char* const path : {"-rf", "%2drf", "-/-x/-y.html", "a/--checkpoint-action=exec=sh"}) {
    const auto url = url::Url::parse(std::string("http://-a.example/") + path);
    ASSERT_TRUE(url);
    const std::string name = names.name_for(*url, "text/html");
    EXPECT_FALSE(name.starts_with('-')) << name;
    EXPECT_FALSE(name.contains("/-")) << name;
  }
}

TEST(MirrorNames, AreSafeWhateverTheAddressTries) {
  const std::string zero(1, '\0');
  std::vector<std::string> paths = {
      "..",
      "../../etc/passwd",
      "%2e%2e/%2e%2e/etc/passwd",
      "%2e%2e%2f%2e%2e%2fetc%2fpasswd",
      "..%2f..%2fx",
      "..\\..\\x",
      "..%5c..%5cx",
      "a/..b/.../....",
      "/etc/passwd",
      "///",
      "a//b",
      ".git/config",
      ".htaccess",
      "%2ehidden",
      "a" + zero + "b",
      "a%00.html",
      "%0a%1b[31m",
      "a\nb\tc",
      "con:alternate|stream<>\"*",
      "%",
      "%zz%4",
      "~root",
      "-rf",
      std::string(300, 'a'),
      std::string(300, 'a') + ".html",
      "x." + std::string(300, 'b'),
      std::string(300, '%'),
      "q?" + std::string(39, 'q') + "\u00e4\u00e4",
      "\xC3\xA4\xF0\x9F\x98\x80/\xFF\xFE",
      "q?" + std::string(3000, '/') + zero,
      "q?../../..",
      "x.html/y.html",
      "x.html",
      "X.HTML",
      "x.html/",
  };
  std::string deep;
  for (int i = 0; i < 500; ++i) deep += "folder/";
  paths.push_back(deep);
  paths.push_back(deep + "x.html");
  Names names;
  std::set<std::string> files;
  std::set<std::string> folders;
  for (const std::string& host :
       {"a.example", "..", "A.example:81", "xn--nxasmq6b", "[::1]:8080"}) {
    for (const std::string& path : paths) {
      for (const std::string_view mime : {"text/html", "", "../x", "image/png"}) {
        const auto url = url::Url::parse("http://" + host + "/" + path);
        if (!url) continue;
        std::string name = names.name_for(*url, mime);
        expect_safe(name);
        std::ranges::transform(name, name.begin(), base::to_lower);
        EXPECT_TRUE(files.insert(name).second) << name;
        for (std::size_t at = 0; (at = name.find('/', at)) != std::string::npos; ++at) {
          folders.insert(name.substr(0, at));
        }
      }
    }
  }
  for (const std::string& folder : folders) EXPECT_FALSE(files.contains(folder)) << folder;
}

}  // namespace
}  // namespace gossamer::mirror
