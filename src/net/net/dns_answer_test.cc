#include "net/dns_answer.h"

#include <gtest/gtest.h>
#include <tests/support/dns_message.h>

#include <algorithm>
#include <memory>
#include <string>

#include "base/random.h"
#include "net/resolver.h"

namespace gossamer::net {
namespace {

Result<DnsAnswer> read(const DnsMessage& message, std::string_view name = "a.example",
                       DnsType type = DnsType::a) {
  // A copy of the exact size, so that a read beyond the end is seen.
  const std::string& bytes = message.bytes();
  const auto exact = std::make_unique<char[]>(bytes.size());
  std::ranges::copy(bytes, exact.get());
  return read_dns_answer(as_bytes({exact.get(), bytes.size()}), name, type);
}

std::string text_of(const Result<DnsAnswer>& answer) {
  if (!answer) return answer.error().to_string();
  std::string text;
  for (const async::Endpoint& address : answer->addresses) text += address.address_text() + " ";
  return text + base::to_string(answer->ttl) + " " + describe(answer->code);
}

DnsMessage asked(std::uint16_t type = DnsMessage::kA) {
  return DnsMessage().question("a.example", type);
}

TEST(DnsAnswer, GivesTheAddressesInTheirOrderAndTheLeastTtl) {
  EXPECT_EQ(
      text_of(read(
          asked().address("a.example", "192.0.2.2", 300).address("a.example", "192.0.2.1", 60))),
      "192.0.2.2 192.0.2.1 1 min NOERROR");
  EXPECT_EQ(text_of(read(asked(DnsMessage::kAaaa).address("a.example", "2001:db8::1", 30),
                         "a.example", DnsType::aaaa)),
            "2001:db8::1 30 s NOERROR");
}

TEST(DnsAnswer, NamesAreComparedWithoutRegardToCaseAndFinalDot) {
  DnsMessage message = DnsMessage().question("A.eXample", DnsMessage::kA);
  message.address("a.EXAMPLE", "192.0.2.1", 60);
  EXPECT_EQ(text_of(read(message, "a.Example.")), "192.0.2.1 1 min NOERROR");
}

TEST(DnsAnswer, FollowsAliasesInAnyOrder) {
  EXPECT_EQ(text_of(read(asked()
                             .address("c.example", "192.0.2.1", 300)
                             .alias("b.example", "c.example", 20)
                             .alias("a.example", "b.example", 100))),
            "192.0.2.1 20 s NOERROR");
}

TEST(DnsAnswer, CompressedNamesAreUnderstood) {
  DnsMessage message = asked();  // the question's name is at offset 12
  message.answer(DnsMessage::pointer(12), DnsMessage::kA, 60, std::string("\xc0\x00\x02\x01", 4));
  EXPECT_EQ(text_of(read(message)), "192.0.2.1 1 min NOERROR");
}

TEST(DnsAnswer, BelievesOnlyRecordsThatBelongToTheName) {
  EXPECT_EQ(text_of(read(asked()
                             .address("b.example", "10.0.0.1", 60)
                             .answer(DnsMessage::name("a.example"), DnsMessage::kA, 60, "abcd", 3)
                             .address("a.example", "192.0.2.1", 60))),
            "192.0.2.1 1 min NOERROR");
  EXPECT_EQ(text_of(read(asked().address("b.example", "10.0.0.1", 60))), "0 s NOERROR");
}

TEST(DnsAnswer, AliasesInACircleAreAFailure) {
  const auto two =
      read(asked().alias("a.example", "b.example", 60).alias("b.example", "a.example", 60));
  EXPECT_EQ(text_of(two), "dns_failed: too many aliases (CNAME)");
  EXPECT_EQ(text_of(read(asked().alias("a.example", "a.example", 60))),
            "dns_failed: too many aliases (CNAME)");
  DnsMessage longest = asked().alias("a.example", "n0.example", 60);
  for (int i = 0; i < kAliasesMax; ++i) {
    const std::string number = std::to_string(i);
    longest.alias("n" + number + ".example", "n" + std::to_string(i + 1) + ".example", 60);
  }
  EXPECT_EQ(text_of(read(longest)), "dns_failed: too many aliases (CNAME)");
}

TEST(DnsAnswer, AbsenceHoldsAsLongAsTheZoneSays) {
  EXPECT_EQ(text_of(read(asked().code(3).soa("example", 900, 120))), "2 min NXDOMAIN");
  EXPECT_EQ(text_of(read(asked().code(3).soa("example", 30, 120))), "30 s NXDOMAIN");
  EXPECT_EQ(text_of(read(asked().soa("example", 900, 120))), "2 min NOERROR");
  EXPECT_EQ(text_of(read(asked().code(3))), "0 s NXDOMAIN");
}

TEST(DnsAnswer, ReportsTheCodesOfServers) {
  EXPECT_EQ(text_of(read(asked().code(2))), "0 s SERVFAIL");
  EXPECT_EQ(text_of(read(asked().code(5))), "0 s REFUSED");
  EXPECT_EQ(text_of(read(asked().code(9))), "0 s RCODE 9");
}

TEST(DnsAnswer, ATtlWithTheHighestBitIsZero) {
  EXPECT_EQ(text_of(read(asked().address("a.example", "192.0.2.1", 0x80000000))),
            "192.0.2.1 0 s NOERROR");
  EXPECT_EQ(read(asked().address("a.example", "192.0.2.1", 0x7fffffff))->ttl,
            std::chrono::seconds(0x7fffffff));
}

TEST(DnsAnswer, IsRejectedForOtherQuestions) {
  for (const DnsMessage& message :
       {DnsMessage(), DnsMessage().question("b.example", DnsMessage::kA), asked(DnsMessage::kAaaa),
        asked().question("a.example", DnsMessage::kA),
        DnsMessage(1, 0x0100).question("a.example", DnsMessage::kA)}) {
    EXPECT_EQ(read(message).error(), Errc::malformed);
  }
}

TEST(DnsAnswer, EveryCutIsNoticed) {
  const std::string whole =
      asked().alias("a.example", "b.example", 60).address("b.example", "192.0.2.1", 60).bytes();
  for (std::size_t size = 0; size < whole.size(); ++size) {
    const auto exact = std::make_unique<char[]>(size);
    std::copy_n(whole.begin(), size, exact.get());
    const auto answer = read_dns_answer(as_bytes({exact.get(), size}), "a.example", DnsType::a);
    ASSERT_FALSE(answer.has_value()) << size;
    EXPECT_EQ(answer.error(), Errc::malformed);
  }
}

TEST(DnsAnswer, IsRejectedIfANameIsInvalid) {
  const std::string self = DnsMessage::pointer(27);  // points at itself
  EXPECT_EQ(read(asked().answer(self, DnsMessage::kA, 60, "abcd")).error(), Errc::malformed);
  const std::string far = DnsMessage::pointer(0x3fff);
  EXPECT_EQ(read(asked().answer(far, DnsMessage::kA, 60, "abcd")).error(), Errc::malformed);
  const std::string odd = std::string("\x40") + "abc";
  EXPECT_EQ(read(asked().answer(odd, DnsMessage::kA, 60, "abcd")).error(), Errc::malformed);
  std::string endless;
  for (int i = 0; i < 10; ++i) endless += std::string(1, '\x3f') + std::string(63, 'a');
  endless += '\0';
  EXPECT_EQ(read(asked().answer(endless, DnsMessage::kA, 60, "abcd")).error(), Errc::malformed);
}

TEST(DnsAnswer, IsRejectedIfARecordHasTheWrongSize) {
  const std::string name = DnsMessage::name("a.example");
  EXPECT_EQ(read(asked().answer(name, DnsMessage::kA, 60, "abc")).error(), Errc::malformed);
  EXPECT_EQ(read(asked().answer(name, DnsMessage::kA, 60, "abcde")).error(), Errc::malformed);
  EXPECT_EQ(read(asked().answer(name, DnsMessage::kCname, 60, "")).error(), Errc::malformed);
  EXPECT_EQ(read(asked().claim_answers(1)).error(), Errc::malformed);
}

// A label that contains a dot must not pass for two labels.
TEST(DnsAnswer, EscapesADotInsideALabel) {
  const std::string sly = std::string("\x09") + "a.example" + '\0';
  EXPECT_EQ(text_of(read(asked().answer(sly, DnsMessage::kA, 60, "abcd"))), "0 s NOERROR");
}

TEST(DnsAnswer, HugeAnswersAreCut) {
  DnsMessage message = asked();
  for (int i = 0; i < 2000; ++i) {
    const std::string data = {10, 0, static_cast<char>(i >> 8), static_cast<char>(i)};
    message.answer(DnsMessage::pointer(12), DnsMessage::kA, 60, data);
  }
  EXPECT_EQ(read(message)->addresses.size(), kAddressesMax);
}

TEST(DnsAnswer, SurvivesFlippedBytes) {
  const std::string whole = asked()
                                .alias("a.example", "b.example", 60)
                                .address("b.example", "192.0.2.1", 60)
                                .soa("example", 60, 60)
                                .bytes();
  base::Random random(1);
  for (int round = 0; round < 20'000; ++round) {
    std::string bytes = whole;
    for (int i = 0; i < 3; ++i)
      bytes[random.below(bytes.size())] = static_cast<char>(random.next());
    const auto answer = read_dns_answer(as_bytes(bytes), "a.example", DnsType::a);
    if (answer) EXPECT_LE(answer->addresses.size(), kAddressesMax);
  }
}

TEST(DnsAnswer, FollowsAsManyAliasesAsItMay) {
  DnsMessage message = asked();
  std::string owner = "a.example";
  for (int i = 0; i < kAliasesMax; ++i) {
    const std::string target = "n" + std::to_string(i) + ".example";
    message.alias(owner, target, 60);
    owner = target;
  }
  EXPECT_EQ(text_of(read(message.address(owner, "192.0.2.1", 60))), "192.0.2.1 1 min NOERROR");
}

TEST(DnsAnswer, HasEachAddressOnce) {
  EXPECT_EQ(text_of(read(asked()
                             .address("a.example", "192.0.2.1", 60)
                             .address("a.example", "192.0.2.2", 60)
                             .address("a.example", "192.0.2.1", 60))),
            "192.0.2.1 192.0.2.2 1 min NOERROR");
}

TEST(DnsAnswer, BelievesTheFirstAliasOfAName) {
  EXPECT_EQ(text_of(read(asked()
                             .alias("a.example", "b.example", 60)
                             .alias("a.example", "c.example", 60)
                             .address("c.example", "192.0.2.3", 60)
                             .address("b.example", "192.0.2.2", 60))),
            "192.0.2.2 1 min NOERROR");
}

// RFC 1035 section 2.3.4: labels have 63 bytes at most, names 255 with their lengths.
TEST(DnsAnswer, ReadsNamesUpToTheLimitsOfTheStandard) {
  const auto name_of = [](std::size_t last) {
    std::string text;
    for (int i = 0; i < 3; ++i) text += std::string(63, 'a') + ".";
    return text + std::string(last, 'a');
  };
  // 3 * 64 + 1 + 61 + 1 = 255
  const std::string longest = name_of(61);
  DnsMessage message = DnsMessage().question(longest, DnsMessage::kA);
  message.address(longest, "192.0.2.1", 60);
  EXPECT_EQ(text_of(read(message, longest)), "192.0.2.1 1 min NOERROR");
  const std::string longer = name_of(62);
  EXPECT_EQ(read(DnsMessage().question(longer, DnsMessage::kA), longer).error(), Errc::malformed);
}

TEST(DnsAnswer, FollowsABoundedNumberOfPointers) {
  const auto owner_after = [](std::size_t pointers) {
    DnsMessage message = asked();
    // A record that is ignored holds a chain of pointers; the first leads to the question.
    const std::size_t chain_at = message.bytes().size() + 1 + 10;
    std::string chain = DnsMessage::pointer(12);
    for (std::size_t i = 1; i < pointers - 1; ++i) {
      chain += DnsMessage::pointer(static_cast<std::uint16_t>(chain_at + 2 * (i - 1)));
    }
    message.answer(std::string(1, '\0'), 16, 60, chain);
    const auto last = static_cast<std::uint16_t>(chain_at + chain.size() - 2);
    message.answer(DnsMessage::pointer(last), DnsMessage::kA, 60, "abcd");
    return text_of(read(message));
  };
  EXPECT_EQ(owner_after(2), "97.98.99.100 1 min NOERROR");
  EXPECT_EQ(owner_after(128), "97.98.99.100 1 min NOERROR");
  EXPECT_EQ(owner_after(129), "malformed: DNS answer: it has an invalid record");
}

TEST(DnsAnswer, NeedsAnAliasThatFillsItsRecord) {
  const std::string owner = DnsMessage::name("a.example");
  const std::string target = DnsMessage::name("b.example");
  EXPECT_EQ(read(asked().answer(owner, DnsMessage::kCname, 60, target + "x")).error(),
            Errc::malformed);
  DnsMessage beyond = asked().answer(owner, DnsMessage::kCname, 60, target.substr(0, 5));
  beyond.address("b.example", "192.0.2.1", 60);
  EXPECT_EQ(read(beyond).error(), Errc::malformed);
}

TEST(DnsAnswer, AbsenceIsUnknownIfTheZoneIsDamaged) {
  EXPECT_EQ(text_of(read(asked().code(3).soa("example", 900, 0xFFFFFFFF))), "15 min NXDOMAIN");
  EXPECT_EQ(read(asked().code(3).soa("example", 0x7FFFFFFF, 0xFFFFFFFF))->ttl,
            std::chrono::seconds(0x7FFFFFFF));
  const std::string whole = asked().code(3).soa("example", 900, 120).bytes();
  const std::size_t authority = asked().bytes().size();
  for (std::size_t size = authority; size < whole.size(); ++size) {
    const auto answer = read_dns_answer(as_bytes(whole.substr(0, size)), "a.example", DnsType::a);
    ASSERT_TRUE(answer.has_value()) << size;
    EXPECT_EQ(text_of(answer), "0 s NXDOMAIN") << size;
  }
}

TEST(DnsAnswer, NeedsAQuestionOfTheInternet) {
  std::string bytes = asked().address("a.example", "192.0.2.1", 60).bytes();
  const std::size_t class_at = asked().bytes().size() - 1;
  ASSERT_EQ(bytes[class_at], 1);
  bytes[class_at] = 3;
  EXPECT_EQ(read_dns_answer(as_bytes(bytes), "a.example", DnsType::a).error(), Errc::malformed);
}

TEST(DnsAnswer, EscapesEveryByteThatIsNotText) {
  for (int c = 0; c < 256; ++c) {
    const std::string owner = std::string("\x01", 1) + static_cast<char>(c) + '\0';
    const std::string plain = {static_cast<char>(c)};
    // If the label of the question is read as it is, it is the name.
    std::string bytes = DnsMessage().bytes();
    bytes[5] = 1;
    bytes += owner + std::string("\0\1\0\1", 4);
    const bool is_text = c > ' ' && c < 0x7F && c != '.' && c != '\\';
    EXPECT_EQ(read_dns_answer(as_bytes(bytes), plain, DnsType::a).has_value(), is_text) << c;
  }
}

}  // namespace
}  // namespace gossamer::net
