#include "http/proxy.h"

#include <gtest/gtest.h>

#include <map>
#include <string>

namespace gossamer::http {
namespace {

url::Url url_of(const std::string& text) { return *url::Url::parse(text); }

TEST(ProxyTest, ReadsWhatPeopleWrite) {
  const auto plain = Proxy::parse("proxy.example:3128");
  ASSERT_TRUE(plain);
  EXPECT_EQ(*plain, (Proxy{ProxyKind::http, "proxy.example", 3128, "", ""}));
  EXPECT_EQ(Proxy::parse("http://proxy.example/")->port, 8080);
  EXPECT_EQ(Proxy::parse("http://proxy.example:80")->port, 80);
  const auto socks = Proxy::parse("socks5h://j%40n:a%3Ab@[::1]");
  ASSERT_TRUE(socks);
  EXPECT_EQ(*socks, (Proxy{ProxyKind::socks5, "[::1]", 1080, "j@n", "a:b"}));
  EXPECT_EQ(socks->to_string(), "socks5://[::1]:1080") << "the password is not for everybody";
}

TEST(ProxyTest, RejectsInvalidProxies) {
  EXPECT_TRUE(Proxy::parse("https://proxy.example").error() == Errc::unsupported);
  EXPECT_TRUE(Proxy::parse("socks4://proxy.example").error() == Errc::unsupported);
  EXPECT_TRUE(Proxy::parse("http://").error() == Errc::invalid_argument);
  EXPECT_TRUE(Proxy::parse("a b").error() == Errc::invalid_argument);
}

std::map<std::string, std::string>& environment() {
  static std::map<std::string, std::string> variables;
  return variables;
}

const char* variable(const char* name) {
  const auto found = environment().find(name);
  return found == environment().end() ? nullptr : found->second.c_str();
}

ProxySettings from(std::map<std::string, std::string> variables) {
  environment() = std::move(variables);
  auto settings = ProxySettings::from_environment(variable);
  EXPECT_TRUE(settings);
  return std::move(*settings);
}

std::string host_for(const ProxySettings& settings, const std::string& text) {
  const Proxy* const proxy = settings.proxy_for(url_of(text));
  return proxy == nullptr ? "" : proxy->host;
}

TEST(ProxySettingsTest, ComeFromTheEnvironment) {
  const ProxySettings settings =
      from({{"http_proxy", "plain.example:1"}, {"HTTPS_PROXY", "http://secure.example:2"}});
  EXPECT_EQ(host_for(settings, "http://a.example/"), "plain.example");
  EXPECT_EQ(host_for(settings, "https://a.example/"), "secure.example");
  EXPECT_EQ(host_for(from({{"all_proxy", "socks5://s.example"}}), "https://a.example/"),
            "s.example");
  EXPECT_EQ(host_for(from({}), "http://a.example/"), "");
}

TEST(ProxySettingsTest, DoNotTrustTheUpperCaseNameThatACgiClientCanSet) {
  EXPECT_EQ(host_for(from({{"HTTP_PROXY", "evil.example"}}), "http://a.example/"), "");
}

TEST(ProxySettingsTest, KnowExceptions) {
  ProxySettings settings = ProxySettings::all(*Proxy::parse("p.example"));
  settings.set_exceptions("Example.com, .dotted.example, 10.0.0.0/8, ::1, port.example:8080,, b");
  for (const char* direct :
       {"http://example.com/", "http://www.example.com/", "https://example.com:444/",
        "http://dotted.example/", "http://a.dotted.example/", "http://10.255.0.1/",
        "http://[::1]:99/", "http://port.example:8080/", "http://b/"}) {
    EXPECT_EQ(host_for(settings, direct), "") << direct;
  }
  for (const char* proxied :
       {"http://notexample.com/", "http://example.com.evil.example/", "http://11.0.0.1/",
        "http://[::2]/", "http://port.example/", "http://c/", "http://10.example/"}) {
    EXPECT_EQ(host_for(settings, proxied), "p.example") << proxied;
  }
  settings.set_exceptions(
      "B\xC3\xBC"
      "cher.example, xn--mller-kva.example");
  for (const char* direct :
       {"http://b\xC3\xBC"
        "cher.example/",
        "http://www.xn--bcher-kva.example/", "http://m\xC3\xBCller.example/"}) {
    EXPECT_EQ(host_for(settings, direct), "") << direct;
  }
  EXPECT_EQ(host_for(settings, "http://bucher.example/"), "p.example");
  settings.set_exceptions("*");
  EXPECT_EQ(host_for(settings, "http://anything.example/"), "");
}

TEST(ProxySettingsTest, ExceptPortsOnlyAsTheyAreWritten) {
  ProxySettings settings = ProxySettings::all(*Proxy::parse("p.example"));
  settings.set_exceptions("a.example:80,b.example:65535,[2001:db8::1]:81,2001:db8::2");
  for (const char* direct : {"http://a.example/", "http://b.example:65535/",
                             "http://[2001:db8::1]:81/", "http://[2001:db8::2]:5/"}) {
    EXPECT_EQ(host_for(settings, direct), "") << direct;
  }
  EXPECT_EQ(host_for(settings, "https://a.example/"), "p.example");
  EXPECT_EQ(host_for(settings, "http://[2001:db8::1]/"), "p.example");
  // 65616 is 80 if only 16 bits of it count.
  settings.set_exceptions("a.example:65616,a.example:8x,a.example:99999999999");
  EXPECT_EQ(host_for(settings, "http://a.example/"), "p.example");
}

TEST(ProxySettingsTest, ExceptDomainsAtTheirDots) {
  ProxySettings settings = ProxySettings::all(*Proxy::parse("p.example"));
  settings.set_exceptions(" . , a.example. ,10.0.0.1, 192.168.0.0/16");
  EXPECT_EQ(host_for(settings, "http://b.a.example/"), "");
  EXPECT_EQ(host_for(settings, "http://a.example./"), "");
  EXPECT_EQ(host_for(settings, "http://ba.example/"), "p.example");
  EXPECT_EQ(host_for(settings, "http://10.0.0.1/"), "");
  EXPECT_EQ(host_for(settings, "http://10.0.0.2/"), "p.example");
  EXPECT_EQ(host_for(settings, "http://192.168.255.1/"), "");
  EXPECT_EQ(host_for(settings, "http://192.169.0.1/"), "p.example");
  settings.set_exceptions("");
  EXPECT_EQ(host_for(settings, "http://10.0.0.1/"), "p.example") << "the former ones are gone";
}

TEST(ProxySettingsTest, ReadEachVariable) {
  const ProxySettings lower = from({{"https_proxy", " s.example:1\t"},
                                    {"HTTPS_PROXY", "upper.example"},
                                    {"ALL_PROXY", "all.example"},
                                    {"NO_PROXY", "direct.example"}});
  EXPECT_EQ(host_for(lower, "https://a.example/"), "s.example");
  EXPECT_EQ(host_for(lower, "http://a.example/"), "all.example");
  EXPECT_EQ(host_for(lower, "http://direct.example/"), "");
  EXPECT_EQ(lower.hosts(), (std::vector<std::string>{"all.example", "s.example"}));
  EXPECT_TRUE(from({}).hosts().empty());
  environment() = {{"all_proxy", "gopher://a.example"}};
  const auto invalid = ProxySettings::from_environment(variable);
  ASSERT_FALSE(invalid);
  EXPECT_TRUE(invalid.error().to_string().contains("environment variable"));
}

TEST(ProxyTest, HasThePortOfItsKind) {
  EXPECT_EQ(Proxy::parse("socks5://a.example")->port, 1080);
  EXPECT_EQ(Proxy::parse("socks://a.example:80/")->port, 80);
  EXPECT_EQ(Proxy::parse("a.example")->port, 8080);
  EXPECT_EQ(Proxy::parse("a.example:81")->port, 81);
  EXPECT_EQ(Proxy::parse("http://a.example:80")->to_string(), "http://a.example:80");
}

TEST(ProxyTest, IsDistinguishedByAllItsParts) {
  const Proxy one = {ProxyKind::http, "a", 1, "u", "p w"};
  const Proxy other = {ProxyKind::http, "a", 1, "u 3 p", "w"};
  EXPECT_NE(one.key(), other.key());
  EXPECT_EQ(one.key(), Proxy(one).key());
}

}  // namespace
}  // namespace gossamer::http
