#include "net/hosts_file.h"

#include <gtest/gtest.h>

#include <string>

#include "async/file.h"
#include "net/local_names.h"
#include "tests/simulated/named_hosts.h"
#include "tests/simulated/world.h"

namespace gossamer::net {
namespace {

std::string text_of(const Addresses* addresses) {
  if (addresses == nullptr) return "unknown";
  std::string text;
  for (const auto& family : {addresses->v6, addresses->v4}) {
    for (const async::Endpoint& address : family) text += address.address_text() + " ";
  }
  return text;
}

TEST(HostsFile, SaysWhichNameIsWhere) {
  const HostsFile file = HostsFile::parse(
      "# a comment\n"
      "127.0.0.1\tlocalhost\n"
      "192.0.2.1  a.example A2.Example. # another comment\n"
      "   2001:db8::1\ta.example\r\n"
      "192.0.2.2 a.example\n"
      "192.0.2.2 a.example\n"
      "192.0.2.3 last.example");
  EXPECT_EQ(text_of(file.find("a.example")), "2001:db8::1 192.0.2.1 192.0.2.2 ");
  EXPECT_EQ(text_of(file.find("a2.EXAMPLE")), "192.0.2.1 ");
  EXPECT_EQ(text_of(file.find("last.example.")), "192.0.2.3 ");
  EXPECT_EQ(text_of(file.find("b.example")), "unknown");
  EXPECT_EQ(file.size(), 4u);
}

TEST(HostsFile, SkipsWhatMakesNoSense) {
  const std::string with_nul("192.0.2.1 a\0b.example\n", 22);
  for (const std::string& text :
       {std::string(), std::string("\n\n\n"), std::string("a.example 192.0.2.1\n"),
        std::string("192.0.2 a.example\n"), std::string("192.0.2.1\n"),
        std::string("192.0.2.1 #a.example\n"), std::string("fe80::1%eth0 a.example\n"),
        std::string("192.0.2.1 a..example\n"), with_nul}) {
    EXPECT_EQ(HostsFile::parse(text).size(), 0u) << text;
  }
}

TEST(HostsFile, OneNameWithManyLinesIsBounded) {
  std::string text;
  for (int i = 0; i < 200; ++i) text += "10.0.0." + std::to_string(i) + " a.example\n";
  EXPECT_EQ(HostsFile::parse(text).find("a.example")->v4.size(), kAddressesMax);
}

async::Task<Result<HostsFile>> write_and_load(std::string text) {
  {
    auto file = co_await async::File::open("/etc/hosts", async::OpenMode::write_truncate);
    auto written = co_await file->write_all_at(0, as_bytes(text));
    EXPECT_TRUE(written.has_value());
  }
  co_return co_await HostsFile::load("/etc/hosts");
}

TEST(HostsFile, IsReadFromTheDisk) {
  std::string text;
  for (int i = 0; i < 20'000; ++i) text += "192.0.2.1 h" + std::to_string(i) + ".example\n";
  sim::World world = sim::World::calm();
  const auto file = world.run(write_and_load(text));
  ASSERT_TRUE(file.has_value());
  EXPECT_EQ(file->size(), 20'000u);
}

TEST(HostsFile, IsEmptyIfTheFileIsMissing) {
  sim::World world = sim::World::calm();
  const auto file = world.run(HostsFile::load("/etc/hosts"));
  ASSERT_TRUE(file.has_value());
  EXPECT_EQ(file->size(), 0u);
}

class LocalNamesTest : public testing::Test {
 protected:
  std::string look_up(const std::string& host) {
    auto found = world_.run(names_.resolve(host));
    return found ? text_of(&*found) : std::string(found.error().detail());
  }

  sim::World world_ = sim::World::calm();
  sim::NamedHosts servers_{1};
  LocalNames names_{servers_, HostsFile::parse("192.0.2.1 a.example\n192.0.2.9 localhost\n")};
};

TEST_F(LocalNamesTest, LocalhostIsThisMachineWhateverAnybodySays) {
  servers_.add("x.localhost", "192.0.2.8");
  for (const char* host :
       {"localhost", "LOCALHOST", "localhost.", "x.localhost", "a.b.localhost."}) {
    EXPECT_EQ(look_up(host), "::1 127.0.0.1 ") << host;
  }
  EXPECT_EQ(servers_.lookups(), 0u);
}

TEST_F(LocalNamesTest, AddressesAndTheHostsFileNeedNoServer) {
  EXPECT_EQ(look_up("192.0.2.7"), "192.0.2.7 ");
  EXPECT_EQ(look_up("[2001:db8::7]"), "2001:db8::7 ");
  EXPECT_EQ(look_up("a.example"), "192.0.2.1 ");
  EXPECT_EQ(servers_.lookups(), 0u);
}

TEST_F(LocalNamesTest, DoesNotLookUpNamesThatCannotExist) {
  for (const char* host : {"invalid", "a.invalid", "abc.onion"}) {
    EXPECT_EQ(look_up(host), "resolve " + std::string(host) + ": there is no such name (NXDOMAIN)");
  }
  EXPECT_EQ(servers_.lookups(), 0u);
}

TEST_F(LocalNamesTest, PassesOtherNamesToTheNextResolver) {
  servers_.add("notlocalhost", "192.0.2.3");
  EXPECT_EQ(look_up("notlocalhost"), "192.0.2.3 ");
  EXPECT_EQ(look_up("b.example"), "resolve b.example: there is no such name (NXDOMAIN)");
  EXPECT_EQ(servers_.lookups(), 2u);
}

TEST(Resolver, LooksUpNamesOf253BytesAtMost) {
  const std::string label(63, 'a');
  const std::string longest = label + "." + label + "." + label + "." + std::string(61, 'a');
  EXPECT_EQ(longest.size(), 253U);
  EXPECT_TRUE(is_domain_name(longest));
  EXPECT_TRUE(is_domain_name(longest + "."));
  EXPECT_FALSE(is_domain_name(longest + "a"));
  for (int c = 1; c < 256; ++c) {
    if (c == '.') continue;
    const std::string host = {'a', static_cast<char>(c), 'b'};
    EXPECT_EQ(is_domain_name(host), c > ' ' && c < 0x7F && c != '\\') << c;
  }
}

TEST(Resolver, KnowsAddressesFromNames) {
  for (const char* host : {"192.0.2.1", "::1", "[::1]", "[2001:db8::1]", "255.255.255.255"}) {
    EXPECT_TRUE(literal_address(host).has_value()) << host;
  }
  for (const char* host :
       {"", "a.example", "1.2.3", "1.2.3.4.5", "0x7f.1", "2130706433", "[1.2.3.4]", "[::1", "::1]",
        "[]", "a.example.1", "1.2.3.4.", "::1%lo"}) {
    EXPECT_FALSE(literal_address(host).has_value()) << host;
  }
}

TEST(Resolver, LooksUpOnlyValidNames) {
  const std::string label(63, 'a');
  for (const std::string& host :
       {std::string("a"), std::string("a.example."), std::string("xn--bcher-kva.example"),
        std::string("_dmarc.a.example"), label + ".example", std::string("1.2.3")}) {
    EXPECT_TRUE(is_domain_name(host)) << host;
  }
  for (const std::string& host :
       {std::string(), std::string("."), std::string(".a"), std::string("a..b"), label + "a",
        std::string("a b"), std::string("a\\b"), std::string("a\0b", 3),
        std::string("b\xc3\xbc.de"), label + "." + label + "." + label + "." + label}) {
    EXPECT_FALSE(is_domain_name(host)) << host;
  }
}

}  // namespace
}  // namespace gossamer::net
