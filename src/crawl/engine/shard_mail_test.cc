#include "engine/shard_mail.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <tests/support/fake_backlog.h>
#include <tests/support/fake_leases.h>
#include <tests/support/frontier_test_case.h>

#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include "engine/page/link_intake.h"
#include "engine/setup/options.h"

namespace gossamer::crawler {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

class ShardMailTest : public HostsOfAJob {
 protected:
  ShardMailTest() {
    options.scope.kind = ScopeKind::any;
    receive_on(begin(free_options()));
  }
  // Nothing borrows the frontier when it ends.
  ~ShardMailTest() override {
    mail.reset();
    intake.reset();
  }

  void receive_on(Frontier& receiver) {
    mail.reset();
    intake.emplace(options, options.hooks, receiver, LinkIntake::Setting{.this_year = 2026});
    mail.emplace(receiver, *intake);
  }
  // What another loop sent, with its ticket.
  Target sent(const std::string& url) {
    Target facts;
    facts.ticket = mail->keep_sent(url, base::hash64(url), facts);
    return facts;
  }

  Options options;
  std::optional<LinkIntake> intake;
  std::optional<ShardMail> mail;
};

TEST_F(ShardMailTest, StoresWhatIsSent) {
  EXPECT_NE(sent("http://a.example/1").ticket, 0u);
  ASSERT_EQ(backlog.messages.size(), 1u);
  EXPECT_EQ(backlog.messages[0].target.url, "http://a.example/1");
}

TEST_F(ShardMailTest, ALinkEndsItsTicketWhenItIsQueued) {
  const Target facts = sent("http://a.example/1");
  mail->take_link("http://a.example/1", facts);
  EXPECT_THAT(backlog.messages, IsEmpty());
  EXPECT_EQ(next_url(), "http://a.example/1");
  const Target wrong = sent("no URL");
  mail->take_link("no URL", wrong);
  EXPECT_THAT(backlog.messages, IsEmpty());
}

TEST_F(ShardMailTest, ALinkToAClosedOriginKeepsItsTicket) {
  frontier->block_host("a.example", {.reason = SkipReason::blocked},
                       [](const Target&, const OriginEnd&) {});
  const Target facts = sent("http://a.example/1");
  mail->take_link("http://a.example/1", facts);
  EXPECT_EQ(backlog.messages.size(), 1u) << "it has no record yet";
}

TEST_F(ShardMailTest, TakesWhatAnEarlierProcessDidNotDeliver) {
  static_cast<void>(sent("http://a.example/link"));
  Target again;
  again.url = "http://a.example/again";
  backlog.send(std::nullopt, again);
  receive_on(begin(free_options()));
  mail->take_undelivered();
  EXPECT_THAT(backlog.messages, IsEmpty());
  EXPECT_EQ(next_url(), "http://a.example/link");
  EXPECT_EQ(next_url(), "http://a.example/again");
  EXPECT_TRUE(is_idle());
}

TEST_F(ShardMailTest, AMessageToAClosedOriginEndsOnce) {
  Target again;
  again.url = "http://a.example/again";
  backlog.send(std::nullopt, again);
  receive_on(begin(free_options()));
  frontier->block_host("a.example", {.reason = SkipReason::blocked},
                       [](const Target&, const OriginEnd&) {});
  mail->take_undelivered();
  EXPECT_THAT(backlog.messages, IsEmpty());
  EXPECT_TRUE(is_idle());
}

TEST_F(ShardMailTest, ALeasedUrlThatIsNotQueuedEnds) {
  FakeLeases leases;
  Frontier leased(world.loop(), free_options(), nullptr, {.leases = &leases});
  receive_on(leased);
  mail->take_leased("http://a.example/1", {.ticket = 1});
  EXPECT_THAT(leases.ended, IsEmpty()) << "it is queued";
  mail->take_leased("no URL", {.ticket = 2});
  EXPECT_THAT(leases.ended, ElementsAre(2));
  mail.reset();
  intake.reset();
}

}  // namespace
}  // namespace gossamer::crawler
