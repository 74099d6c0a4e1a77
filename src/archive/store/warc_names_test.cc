#include "store/warc_names.h"

#include <gtest/gtest.h>

namespace gossamer::store {
namespace {

std::string path_for(PayloadNames& names, std::string_view url, std::string_view mime = "") {
  const auto name = names.name_for(url, mime);
  return name.folder + "/" + name.file;
}

TEST(PayloadNames, AreMadeOfHostAndPath) {
  PayloadNames names;
  EXPECT_EQ(path_for(names, "http://a.example/", "text/html"), "a.example/index.html");
  EXPECT_EQ(path_for(names, "http://a.example/x/y.css"), "a.example/x_y.css");
  EXPECT_EQ(path_for(names, "http://a.example:81/x?q=1", "image/png"), "a.example_81/x_q=1.png");
}

TEST(PayloadNames, KeepPlainSigns) {
  PayloadNames names;
  EXPECT_EQ(path_for(names, "http://azazaz09.example/azAZ09-_.=,+/x@y"),
            "azazaz09.example/azAZ09-_.=,+_x_y");
}

TEST(PayloadNames, AreUnique) {
  PayloadNames names;
  EXPECT_EQ(path_for(names, "http://h/a/b.txt"), "h/a_b.txt");
  EXPECT_EQ(path_for(names, "http://h/a_b.txt"), "h/a_b~2.txt");
  EXPECT_EQ(path_for(names, "http://h/A_B.TXT"), "h/A_B~3.TXT");
}

TEST(PayloadNames, OfOneUrlAreNumbered) {
  PayloadNames names;
  std::string last;
  for (int i = 0; i < 100'000; ++i) last = path_for(names, "http://h/a.txt");
  EXPECT_EQ(last, "h/a~100000.txt");
  EXPECT_EQ(path_for(names, "http://h/A.txt"), "h/A~100001.txt");
}

TEST(PayloadNames, StayInTheirFolder) {
  PayloadNames names;
  for (const std::string_view url :
       {"http://h/%2e%2e/%2e%2e/etc/passwd", "http://h/..%2f..%2fetc%2fpasswd", "../../etc/passwd",
        "http://../x", "file:///../../x", "http://h/a\\..\\b", "data:,../..", "", ".", "..",
        "http://h/.bashrc", "http://h/%00x", "http://h/a%0ab"}) {
    const auto name = names.name_for(url, "");
    for (const std::string& part : {name.folder, name.file}) {
      EXPECT_FALSE(part.empty()) << url;
      EXPECT_FALSE(part.starts_with('.')) << url << ": " << part;
      EXPECT_EQ(part.find_first_of("/\\\n%:"), std::string::npos) << url << ": " << part;
    }
  }
}

TEST(PayloadNames, AreShortEnoughForFileSystems) {
  PayloadNames names;
  const std::string one = path_for(names, "http://h/" + std::string(5000, 'a') + "1.html");
  const std::string other = path_for(names, "http://h/" + std::string(5000, 'a') + "2.html");
  EXPECT_LT(one.size(), 160U);
  EXPECT_NE(one, other);
  EXPECT_TRUE(one.ends_with(".html"));
  const std::string label(60, 'a');
  const auto name = names.name_for("http://" + label + "." + label + "." + label + "/x", "");
  EXPECT_LT(name.folder.size(), 150U);
}

TEST(PayloadNames, GetAnExtensionUnlessTheyHaveOne) {
  PayloadNames names;
  const auto html = [&](const std::string& name) {
    return path_for(names, "http://h/" + name, "text/html");
  };
  EXPECT_EQ(html("a.c"), "h/a.c");
  EXPECT_EQ(html("a."), "h/a..html") << "a dot alone";
  EXPECT_EQ(html("a.bcdefghijkl"), "h/a.bcdefghijkl") << "the longest";
  EXPECT_EQ(html("a.bcdefghijklm"), "h/a.bcdefghijklm.html") << "too long";
}

TEST(PayloadNames, AreShortenedOnlyIfTheyAreTooLong) {
  PayloadNames names;
  for (const std::size_t size : {119U, 120U}) {
    const std::string name(size, 'a');
    EXPECT_EQ(path_for(names, "http://h/" + name), "h/" + name);
  }
  const std::string cut = path_for(names, "http://h/" + std::string(121, 'a'));
  EXPECT_EQ(cut.size(), 2 + 120U);
  EXPECT_NE(cut.find('~'), std::string::npos);
}

}  // namespace
}  // namespace gossamer::store
