// Tests what a crawl requires of this machine.
#include "run/machine/machine.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <tests/support/temporary_folder.h>

#include <string>
#include <utility>

#include "async/loop.h"
#include "async/scope.h"
#include "async/task.h"
#include "net/tls_context.h"
#include "run/machine/cookie_file.h"
#include "run/machine/web_access.h"
#include "settings/web_options.h"
#include "wire/cookie_jar.h"

namespace gossamer::run {
namespace {

using testing::HasSubstr;

TEST(MachineTest, FilesAreReplacedForTheirOwner) {
  const tests::TemporaryFolder folder;
  const std::string path = folder.path() + "/cookies";
  Machine& machine = this_machine();
  EXPECT_EQ(machine.changed_at(path), 0);
  EXPECT_EQ(machine.changed_at(""), 0);
  EXPECT_EQ(machine.read_file(path), "");
  EXPECT_EQ(machine.read_file(folder.path()), "") << "a folder has no text";
  ASSERT_TRUE(machine.write_file(path, "one"));
  EXPECT_EQ(machine.read_file(path), "one");
  EXPECT_GT(machine.changed_at(path), 1'700'000'000'000'000'000);
  struct stat facts = {};
  ASSERT_EQ(stat(path.c_str(), &facts), 0);
  EXPECT_EQ(facts.st_mode & 0777, 0600u);
  EXPECT_EQ(machine.changed_at(path),
            std::int64_t{facts.st_mtim.tv_sec} * 1'000'000'000 + facts.st_mtim.tv_nsec);
  ASSERT_TRUE(machine.write_file(path, "two"));
  EXPECT_EQ(machine.read_file(path), "two");
  EXPECT_FALSE(machine.write_file(folder.path() + "/none/x", "three"));
}

TEST(MachineTest, ACrawlDirectoryHasASignedConfiguration) {
  const tests::TemporaryFolder folder;
  ::setenv("XDG_STATE_HOME", (folder.path() + "/state").c_str(), 1);
  auto home = this_machine().open_job(folder.path() + "/job");
  ASSERT_TRUE(home) << home.error().to_string();
  EXPECT_TRUE((*home)->is_new());
  ASSERT_TRUE((*home)->write_configuration("# settings\n"));
  EXPECT_THAT((*home)->read_configuration().value_or(""), HasSubstr("# signature "));
  EXPECT_FALSE((*home)->lacks_signature());
  EXPECT_GT((*home)->free_bytes().value_or(0), 0u);
  ::unsetenv("XDG_STATE_HOME");
}

// BORROWS: the place.
async::Task<void> note_loop(async::Loop*& place) {
  place = &async::Loop::current();
  co_return;
}

TEST(MachineTest, ALoopRunsOnItsOwnThread) {
  async::Loop* other = nullptr;
  const auto thread = this_machine().start_loop(
      async::DriverKind::automatic, [&other](async::Loop&) { return note_loop(other); },
      [](const Error&) { FAIL(); });
  async::Loop loop;
  loop.run(thread->join());
  EXPECT_NE(other, nullptr);
  EXPECT_NE(other, &loop);
}

TEST(MachineTest, ThreadsAreFew) {
  EXPECT_GE(this_machine().packing_threads(), 1u);
  EXPECT_LE(this_machine().packing_threads(), 4u);
  EXPECT_THAT(this_machine().process_name(), HasSubstr("-" + std::to_string(getpid())));
  EXPECT_NE(this_machine().draw(), this_machine().draw());
}

TEST(CookieFileTest, CookiesAreReadAndWritten) {
  const tests::TemporaryFolder folder;
  const std::string path = folder.path() + "/cookies";
  Machine& machine = this_machine();
  wire::CookieJar jar;
  jar.put({.name = "id", .value = "7", .domain = "a.example", .path = "/"}, machine.now());
  ASSERT_TRUE(save_cookies(machine, path, jar));
  EXPECT_TRUE(save_cookies(machine, "", jar)) << "no file is wanted";
  wire::CookieJar read;
  load_cookies(machine, "", read);
  EXPECT_EQ(read.all(machine.now()).size(), 0u);
  load_cookies(machine, path, read);
  ASSERT_EQ(read.all(machine.now()).size(), 1u);
  EXPECT_EQ(read.all(machine.now()).front().value, "7");
}

// Knows one name.
class OneName final : public net::Resolver {
 public:
  async::Task<Result<net::Addresses>> look_up(std::string host) override {
    ++lookups;
    if (host != "a.example") co_return fail(Errc::not_found);
    co_return net::Addresses{.v4 = {async::Endpoint::v4(192, 0, 2, 7, 0)}, .ttl = 60s};
  }
  int lookups = 0;
};

// BORROWS: all.
async::Task<void> look_up_names(WebAccess& web, OneName& names) {
  const auto known = co_await web.resolver().look_up("B.example");
  EXPECT_TRUE(known && known->v4.size() == 1 && known->v6.size() == 1);
  EXPECT_EQ(names.lookups, 0);
  const auto found = co_await web.resolver().look_up("a.example");
  EXPECT_TRUE(found && found->v4.size() == 1);
  EXPECT_EQ(names.lookups, 1);
  EXPECT_FALSE(co_await web.resolver().look_up("c.example"));
}

async::Task<void> use_known_names() {
  async::Scope scope(async::OnFailure::keep_going);
  auto names = std::make_unique<OneName>();
  OneName& asked = *names;
  WebOptions options;
  options.client.addresses["b.example:443"] = {*async::Endpoint::parse_address("192.0.2.1"),
                                               *async::Endpoint::parse_address("2001:db8::1")};
  {
    WebAccess web(std::move(names), nullptr, scope, std::move(options));
    EXPECT_EQ(web.tls(), nullptr);
    EXPECT_NE(web.resolver_of_hosts(), nullptr);
    co_await look_up_names(web, asked);
    scope.cancel();
    static_cast<void>(co_await scope.join());
  }
}

TEST(WebAccessTest, AddressesOfTheUserComeBeforeThoseOfTheDns) {
  async::Loop loop;
  loop.run(use_known_names());
}

async::Task<void> use_a_proxy() {
  async::Scope scope(async::OnFailure::keep_going);
  WebOptions options;
  options.client.proxies = http::ProxySettings::all(*http::Proxy::parse("10.0.0.9:3128"));
  {
    WebAccess web(std::make_unique<OneName>(), nullptr, scope, std::move(options));
    EXPECT_EQ(web.resolver_of_hosts(), nullptr);
  }
  co_return;
}

TEST(WebAccessTest, AProxyResolvesTheNames) {
  async::Loop loop;
  loop.run(use_a_proxy());
}

}  // namespace
}  // namespace gossamer::run
