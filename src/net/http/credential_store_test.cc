#include "http/credential_store.h"

#include <gtest/gtest.h>

namespace gossamer::http {
namespace {

url::Url url(const char* text) { return *url::Url::parse(text); }

TEST(CredentialStoreTest, CredentialsBelongToSchemeHostAndPort) {
  CredentialStore store;
  store.add(url("https://a.example/secret"), {"jan", "word"});
  EXPECT_TRUE(store.find(url("https://a.example/")));
  EXPECT_TRUE(store.find(url("https://A.example:443/other?q")));
  for (const char* other : {"http://a.example/", "https://a.example:8443/", "https://b.example/",
                            "https://www.a.example/", "https://example/",
                            "https://a.example.evil.example/", "https://a.example./"}) {
    EXPECT_FALSE(store.find(url(other))) << other;
  }
}

TEST(CredentialStoreTest, TakesThoseOfAUrlDecoded) {
  CredentialStore store;
  store.add_from(url("http://j%40n:w%3Ard@a.example/"));
  const auto found = store.find(url("http://a.example/"));
  ASSERT_TRUE(found);
  EXPECT_EQ(found->user, "j@n");
  EXPECT_EQ(found->password, "w:rd");
  store.add_from(url("http://b.example/"));
  EXPECT_FALSE(store.find(url("http://b.example/")));
}

TEST(CredentialStoreTest, ANetrcIsForTheUsualPorts) {
  CredentialStore store;
  store.set_netrc(*wire::Netrc::parse("machine a.example login jan password word"));
  EXPECT_TRUE(store.find(url("https://a.example/")));
  EXPECT_TRUE(store.find(url("http://a.example/")));
  EXPECT_FALSE(store.find(url("http://a.example:8080/")));
  EXPECT_FALSE(store.find(url("http://b.a.example/")));
}

TEST(CredentialStoreTest, ANetrcKnowsHostsThatAreNotAscii) {
  CredentialStore store;
  store.set_netrc(
      *wire::Netrc::parse("machine b\xC3\xBC"
                          "cher.example login jan password word"));
  EXPECT_TRUE(
      store.find(url("https://B\xC3\x9C"
                     "CHER.example/")));
  EXPECT_TRUE(store.find(url("https://xn--bcher-kva.example/")));
  EXPECT_FALSE(store.find(url("https://bucher.example/")));
}

TEST(CredentialStoreTest, PrefersAnOriginOverTheNetrc) {
  CredentialStore store;
  store.set_netrc(
      *wire::Netrc::parse("machine a.example login anybody password x\n"
                          "machine b.example login anybody password x"));
  store.add(url("http://a.example/"), {"jan", "word"});
  EXPECT_EQ(store.find(url("http://a.example/"))->user, "jan");
  EXPECT_EQ(store.find(url("http://b.example/"))->user, "anybody");
}

TEST(CredentialStoreTest, HostsAreForHttpsAtItsUsualPort) {
  CredentialStore store;
  EXPECT_TRUE(store.empty());
  store.add_host("a.example", {"one", "word"});
  store.add_host("*.a.example", {"two", "word"});
  EXPECT_FALSE(store.empty());
  EXPECT_EQ(store.find(url("https://a.example/"))->user, "one");
  EXPECT_EQ(store.find(url("https://y.x.a.example/"))->user, "two");
  for (const char* other : {"http://a.example/", "https://a.example:8443/", "https://ba.example/",
                            "http://x.a.example/", "https://a.example.test/"}) {
    EXPECT_FALSE(store.find(url(other))) << other;
  }
}

TEST(CredentialStoreTest, TheDefaultOfANetrcIsNotForStrangers) {
  CredentialStore store;
  store.set_netrc(
      *wire::Netrc::parse("machine a.example login jan password word\n"
                          "default login any password word"));
  EXPECT_EQ(store.find(url("https://a.example/"))->user, "jan");
  EXPECT_FALSE(store.find(url("https://b.example/")));
}

}  // namespace
}  // namespace gossamer::http
