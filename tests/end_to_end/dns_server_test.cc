// The resolver against a real name server: dnsmasq on a free port of this machine.

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <signal.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <memory>
#include <string>
#include <vector>

#include "async/gather.h"
#include "async/scope.h"
#include "async/sleep.h"
#include "net/caching_resolver.h"
#include "net/cares_resolver.h"
#include "net/connector.h"
#include "net/local_names.h"
#include "tests/support/driver_test.h"
#include "tests/support/found_addresses.h"
#include "tests/support/patience.h"
#include "tests/support/server_program.h"

extern char** environ;

namespace gossamer::net {
namespace {

using async::Task;
using async::tested_driver_name;
using async::TestedDriver;
using testing::HasSubstr;

constexpr const char* kDnsmasq = "/usr/sbin/dnsmasq";

// Runs until it is destroyed.
class Dnsmasq {
 public:
  Dnsmasq() : port_(support::free_port()) {
    std::vector<std::string> words = {kDnsmasq,
                                      "--keep-in-foreground",
                                      "--conf-file=/dev/null",
                                      "--no-resolv",
                                      "--no-hosts",
                                      "--pid-file=",
                                      "--log-facility=-",
                                      "--user=",
                                      "--port=" + std::to_string(port_),
                                      "--listen-address=127.0.0.1",
                                      "--bind-interfaces",
                                      "--local=/example/",
                                      "--local-ttl=77",
                                      "--auth-ttl=77",
                                      "--dns-forward-max=1000",
                                      "--host-record=a.example,192.0.2.1,2001:db8::1",
                                      "--host-record=four.example,192.0.2.4",
                                      "--host-record=six.example,2001:db8::6",
                                      "--host-record=here.example,127.0.0.1",
                                      "--txt-record=text.example,nothing else",
                                      "--cname=alias.example,a.example",
                                      "--cname=alias2.example,alias.example"};
    for (int i = 0; i < 200; ++i) {
      words.push_back("--host-record=many.example,10.1.0." + std::to_string(i));
    }
    std::vector<char*> arguments;
    for (std::string& word : words) arguments.push_back(word.data());
    arguments.push_back(nullptr);
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
    if (posix_spawn(&pid_, kDnsmasq, &actions, nullptr, arguments.data(), environ) != 0) pid_ = 0;
    posix_spawn_file_actions_destroy(&actions);
  }
  ~Dnsmasq() {
    if (pid_ == 0) return;
    kill(pid_, SIGTERM);
    waitpid(pid_, nullptr, 0);
  }
  Dnsmasq(const Dnsmasq&) = delete;
  Dnsmasq& operator=(const Dnsmasq&) = delete;

  bool started() const { return pid_ != 0; }
  std::string address() const { return "127.0.0.1:" + std::to_string(port_); }

 private:
  std::uint16_t port_;
  pid_t pid_ = 0;
};

class DnsServerTest : public async::DriverTest {
 protected:
  void SetUp() override {
    if (access(kDnsmasq, X_OK) != 0) GTEST_SKIP() << kDnsmasq << " is not installed";
    DriverTest::SetUp();
    if (IsSkipped()) return;
    server_ = std::make_unique<Dnsmasq>();
    ASSERT_TRUE(server_->started());
    // Patient: datagrams are lost where the server is not given a processor soon enough.
    auto resolver = CaresResolver::make(loop(), {.servers = {server_->address()},
                                                 .deadline = support::kPatience,
                                                 .tries = 6,
                                                 .patience_for_v6 = 30s,
                                                 .patience_for_v4 = 30s});
    ASSERT_TRUE(resolver.has_value()) << resolver.error().to_string();
    resolver_ = std::move(*resolver);
    auto probe = CaresResolver::make(
        loop(), {.servers = {server_->address()}, .deadline = 200ms, .try_timeout = 20ms});
    ASSERT_TRUE(run(wait_until_it_answers(**probe))) << "dnsmasq does not answer";
  }
  void TearDown() override {
    resolver_.reset();
    server_.reset();
    DriverTest::TearDown();
  }

  static Task<bool> wait_until_it_answers(CaresResolver& resolver) {
    const Instant give_up = async::Loop::current().now() + support::kPatience;
    while (async::Loop::current().now() < give_up) {
      if (co_await resolver.resolve("a.example")) co_return true;
      static_cast<void>(co_await async::sleep(5ms));
    }
    co_return false;
  }

  std::string resolve(const std::string& host) { return text_of(run(resolver_->resolve(host))); }

  std::unique_ptr<Dnsmasq> server_;
  std::unique_ptr<CaresResolver> resolver_;
};
ON_REAL_DRIVERS(DnsServerTest);

TEST_P(DnsServerTest, BothFamiliesAreFoundWithTheirTtl) {
  EXPECT_EQ(resolve("a.example"), "2001:db8::1 192.0.2.1 1 min 17 s");
  EXPECT_EQ(resolve("A.Example."), "2001:db8::1 192.0.2.1 1 min 17 s");
  EXPECT_EQ(resolve("four.example"), "192.0.2.4 1 min 17 s");
  EXPECT_EQ(resolve("six.example"), "2001:db8::6 1 min 17 s");
}

TEST_P(DnsServerTest, AliasesAreFollowed) {
  EXPECT_EQ(resolve("alias.example"), "2001:db8::1 192.0.2.1 1 min 17 s");
  EXPECT_EQ(resolve("alias2.example"), "2001:db8::1 192.0.2.1 1 min 17 s");
}

TEST_P(DnsServerTest, AbsenceIsTold) {
  EXPECT_THAT(resolve("none.example"), HasSubstr("no such name (NXDOMAIN)"));
  EXPECT_THAT(resolve("text.example"), HasSubstr("no address (NODATA)"));
}

TEST_P(DnsServerTest, AServerThatRefusesIsAFailure) {
  // One try: the pauses between several are those of lost replies, which are long here.
  auto once = CaresResolver::make(loop(), {.servers = {server_->address()}, .tries = 1});
  ASSERT_TRUE(once.has_value()) << once.error().to_string();
  EXPECT_EQ(text_of(run((*once)->resolve("a.test"))),
            "dns_failed: resolve a.test: the name server answered REFUSED");
}

// Two hundred addresses do not fit into a datagram: dnsmasq truncates, and TCP brings the rest.
TEST_P(DnsServerTest, AnAnswerThatDoesNotFitComesOverTcp) {
  const auto found = run(resolver_->resolve("many.example"));
  ASSERT_TRUE(found.has_value()) << found.error().to_string();
  EXPECT_EQ(found->v4.size(), kAddressesMax);
}

TEST_P(DnsServerTest, ManyLookupsAtOnceAllEnd) {
  // So few that their datagrams fit into the server's socket buffer: none is lost, even if the
  // server gets no processor for long. The other lookups wait in line.
  auto resolver = CaresResolver::make(loop(), {.servers = {server_->address()},
                                               .deadline = support::kPatience,
                                               .try_timeout = 10s,
                                               .tries = 6,
                                               .patience_for_v6 = 30s,
                                               .patience_for_v4 = 30s,
                                               .lookups_max = 100});
  ASSERT_TRUE(resolver.has_value()) << resolver.error().to_string();
  run([](CaresResolver& names) -> Task<void> {
    std::vector<Task<Result<Addresses>>> lookups;
    for (int i = 0; i < 2000; ++i) {
      lookups.push_back(
          names.resolve(i % 2 == 0 ? "a.example" : "x" + std::to_string(i) + ".example"));
    }
    const auto answers = co_await async::gather(std::move(lookups));
    for (std::size_t i = 0; i < answers.size(); ++i) {
      EXPECT_EQ(answers[i].has_value(), i % 2 == 0) << text_of(answers[i]);
      if (!answers[i]) EXPECT_EQ(answers[i].error(), Errc::dns_failed);
    }
  }(**resolver));
}

TEST_P(DnsServerTest, TheWholeChainConnects) {
  run([](CaresResolver& servers) -> Task<void> {
    async::Scope scope;
    CachingResolver cache(servers, scope);
    LocalNames names(cache, HostsFile::parse("127.0.0.1 file.example\n"));
    auto listener = async::Listener::bind(async::Endpoint::loopback(0));
    const std::uint16_t port = listener->endpoint().port;
    Connector connector(names, AddressGuard(GuardOptions{.allow_private = true}));
    for (const char* host : {"here.example", "here.example", "file.example", "localhost"}) {
      auto connected = co_await connector.connect({.host = host, .port = port});
      EXPECT_TRUE(connected.has_value()) << (connected ? "" : connected.error().to_string());
    }
    EXPECT_EQ(cache.size(), 1u);
    EXPECT_TRUE((co_await cache.resolve("here.example"))->from_cache);
    EXPECT_TRUE((co_await scope.join()).has_value());
  }(*resolver_));
}

}  // namespace
}  // namespace gossamer::net
