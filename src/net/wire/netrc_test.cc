#include "wire/netrc.h"

namespace gossamer::wire {
namespace {

std::string found(const Netrc& netrc, std::string_view host, std::string_view user = {}) {
  const auto credentials = netrc.find(host, user);
  return credentials ? credentials->user + "/" + credentials->password : "(none)";
}

TEST(NetrcTest, FindsTheEntryOfAHost) {
  const auto netrc = Netrc::parse(
      "# comment\nmachine a.example login jan password geheim\n"
      "machine b.example\n\tlogin \"two words\"\n\tpassword \"a\\\"b\\\\c\"\n"
      "machine a.example login eva password other#1 account x\n");
  ASSERT_TRUE(netrc);
  EXPECT_EQ(found(*netrc, "A.example"), "jan/geheim");
  EXPECT_EQ(found(*netrc, "a.example", "eva"), "eva/other#1");
  EXPECT_EQ(found(*netrc, "b.example"), "two words/a\"b\\c");
  EXPECT_EQ(found(*netrc, "c.example"), "(none)");
}

TEST(NetrcTest, TakesTheDefaultForTheOthersAndPassesOverMacros) {
  const auto netrc = Netrc::parse(
      "machine a.example login x password y\nmacdef init\ncd /tmp\nlogin nobody\n\n"
      "default login anonymous password me\n");
  ASSERT_TRUE(netrc);
  EXPECT_EQ(found(*netrc, "a.example"), "x/y");
  EXPECT_EQ(found(*netrc, "b.example"), "anonymous/me");
}

TEST(NetrcTest, FindsAHostThatIsNotAscii) {
  const auto netrc = Netrc::parse(
      "machine B\xC3\xBC"
      "cher.example login x password y\n"
      "machine xn--mller-kva.example login z password w\n");
  ASSERT_TRUE(netrc);
  EXPECT_EQ(found(*netrc, "xn--bcher-kva.example"), "x/y") << "as URLs spell it";
  EXPECT_TRUE(netrc->names("xn--bcher-kva.example"));
  EXPECT_EQ(found(*netrc, "xn--mller-kva.example"), "z/w");
}

TEST(NetrcTest, RejectsUnknownWordsWithoutRepeatingThem) {
  EXPECT_EQ(Netrc::parse("machine").error(), Errc::malformed);
  EXPECT_EQ(Netrc::parse("login x").error(), Errc::malformed);
  const auto unknown = Netrc::parse("machine a password b secret x");
  EXPECT_EQ(unknown.error(), Errc::malformed);
  EXPECT_FALSE(unknown.error().to_string().contains("secret"));
  EXPECT_TRUE(Netrc::parse(""));
}

TEST(NetrcTest, ReadsQuotesEscapesAndComments) {
  const auto netrc = Netrc::parse(
      "machine a login \"x\\ty\\nz\\rw\\q\" password \"#not\" # a comment machine b\r\n"
      "machine c login #user password \"open");
  ASSERT_TRUE(netrc);
  EXPECT_EQ(found(*netrc, "a"), "x\ty\nz\rwq/#not");
  EXPECT_EQ(found(*netrc, "b"), "(none)");
  EXPECT_EQ(found(*netrc, "c"), "#user/open") << "a quotation without end reaches to the end";
  const auto slash = Netrc::parse("machine a password \"x\\");
  EXPECT_EQ(found(*slash, "a"), "/x\\");
}

TEST(NetrcTest, EndsAMacroAtAnEmptyLineOfAnyKind) {
  for (const char* const end : {"\n\n", "\r\n\r\n", "\n\r\n"}) {
    const auto netrc =
        Netrc::parse("macdef m\nput secret" + std::string(end) + "machine a login x password y");
    ASSERT_TRUE(netrc);
    EXPECT_EQ(found(*netrc, "a"), "x/y");
  }
  EXPECT_TRUE(Netrc::parse("macdef m\nput secret machine a"));
}

TEST(NetrcTest, NamesHostsButNotTheDefault) {
  const auto netrc = Netrc::parse("machine a.example login x\ndefault login y");
  ASSERT_TRUE(netrc);
  EXPECT_TRUE(netrc->names("A.EXAMPLE"));
  EXPECT_FALSE(netrc->names("b.example"));
  EXPECT_EQ(found(*netrc, "b.example", "y"), "y/");
  EXPECT_EQ(found(*netrc, "b.example", "z"), "(none)");
  EXPECT_EQ(found(*netrc, "a.example", "y"), "y/") << "the entry of the machine has another user";
}

}  // namespace
}  // namespace gossamer::wire
