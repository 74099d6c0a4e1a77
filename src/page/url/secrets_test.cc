#include "url/secrets.h"

#include <gtest/gtest.h>

namespace gossamer::url {
namespace {

TEST(Secrets, AreHiddenInTextsThatNeedNotBeUrls) {
  struct Row {
    const char* text;
    const char* shown;
  };
  for (const Row& row : {
           Row{"https://me:word@a.example/x", "https://***@a.example/x"},
           Row{"http://me:w@rd@a b/", "http://***@a b/"},
           Row{"http:\\\\me:word@a.example\\x", "http:\\\\***@a.example\\x"},
           Row{"//me:word@a.example", "//***@a.example"},
           Row{"me:word@a.example:99999", "***@a.example:99999"},
           Row{"http://me:wo/rd@a.example/", "http://***@a.example/"},
           Row{"http://me:wo#rd@a.example/", "http://***@a.example/"},
           Row{"https://a.example:80x", "https://a.example:80x"},
           Row{"https://a.example/@me", "https://a.example/@me"},
           Row{"https://a.example:8080/?mail=me@b.example",
               "https://a.example:8080/?mail=me@b.example"},
           Row{"http://[::1]:80x/@", "http://[::1]:80x/@"},
           Row{"", ""},
           Row{"@", "***@"},
       }) {
    EXPECT_EQ(without_secrets(row.text), row.shown) << row.text;
  }
}

TEST(Secrets, AreTakenFromUrls) {
  EXPECT_EQ(strip_credentials(*Url::parse("https://me:word@a.example:8/x?y#z")).href(),
            "https://a.example:8/x?y#z");
  EXPECT_EQ(strip_credentials(*Url::parse("https://a.example/")).href(), "https://a.example/");
}

}  // namespace
}  // namespace gossamer::url
