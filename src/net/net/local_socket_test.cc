#include "net/local_socket.h"

#include <gtest/gtest.h>
#include <sched.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <tests/support/driver_test.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "async/gather.h"
#include "async/scope.h"
#include "async/timeout.h"
#include "base/check.h"

namespace gossamer::net {
namespace {

using async::DriverTest;
using async::tested_driver_name;
using async::TestedDriver;

class LocalSocketTest : public DriverTest {
 protected:
  LocalSocketTest() {
    std::string pattern = std::filesystem::temp_directory_path() / "gossamer-local-XXXXXX";
    CHECK(mkdtemp(pattern.data()) != nullptr);
    folder_ = pattern;
  }
  ~LocalSocketTest() override { std::filesystem::remove_all(folder_); }

  std::string path(const std::string& name = "socket") const { return folder_ / name; }
  bool is_there(const std::string& name = "socket") const {
    return std::filesystem::symlink_status(folder_ / name).type() !=
           std::filesystem::file_type::not_found;
  }

 private:
  std::filesystem::path folder_;
};
ON_REAL_DRIVERS(LocalSocketTest);

// Sends back what it receives. BORROWS: the listener.
async::Task<Result<void>> echo_one(LocalListener& listener) {
  auto peer = co_await listener.accept();
  if (!peer) co_return fail(std::move(peer).error());
  EXPECT_EQ(peer->peer_user(), geteuid());
  for (;;) {
    auto heard = co_await peer->receive(1000);
    if (!heard) co_return fail(std::move(heard).error());
    if (heard->empty()) co_return {};
    if (auto sent = co_await peer->send(std::move(*heard)); !sent) co_return sent;
  }
}

// BORROWS: the stream.
async::Task<Result<std::string>> read_all(LocalStream& stream, std::size_t bytes) {
  std::string all;
  while (all.size() < bytes) {
    auto heard = co_await stream.receive(100);
    if (!heard) co_return fail(std::move(heard).error());
    if (heard->empty()) break;
    all += *heard;
  }
  co_return all;
}

async::Task<Result<std::string>> talk(std::string path, std::string words) {
  auto stream = LocalStream::connect(path);
  if (!stream) co_return fail(std::move(stream).error());
  if (auto sent = co_await stream->send(words); !sent) co_return fail(std::move(sent).error());
  co_return co_await read_all(*stream, words.size());
}

TEST_P(LocalSocketTest, CarriesBytesBothWays) {
  auto listener = LocalListener::bind(path());
  ASSERT_TRUE(listener) << listener.error().to_string();
  const std::string words(50'000, 'x');
  auto [served, heard] = run(async::gather(echo_one(*listener), talk(path(), words)));
  EXPECT_TRUE(served);
  ASSERT_TRUE(heard) << heard.error().to_string();
  EXPECT_EQ(*heard, words);
}

TEST_P(LocalSocketTest, IsForItsUserAloneAndGoesAway) {
  {
    auto listener = LocalListener::bind(path());
    ASSERT_TRUE(listener);
    struct stat found = {};
    ASSERT_EQ(lstat(path().c_str(), &found), 0);
    EXPECT_TRUE(S_ISSOCK(found.st_mode));
    EXPECT_EQ(found.st_mode & 0777u, 0600u);
  }
  EXPECT_FALSE(is_there());
}

TEST_P(LocalSocketTest, TakesThePlaceOfOneThatIsStale) {
  {
    auto first = LocalListener::bind(path());
    ASSERT_TRUE(first);
    // The file is left under another name, as after a crash.
    std::filesystem::rename(path(), path("stale"));
  }
  ASSERT_TRUE(is_there("stale"));
  auto second = LocalListener::bind(path("stale"));
  EXPECT_TRUE(second) << second.error().to_string();
}

// The kernel closes a socket that a ring waited on some time after its process has ended, and until
// then it accepts connections. Here this process keeps it open.
TEST_P(LocalSocketTest, TakesThePlaceOfOneWhoseProcessHasGone) {
  // A process that shares its descriptors with this one.
  const long child = syscall(SYS_clone, CLONE_FILES | SIGCHLD, nullptr, nullptr, nullptr, nullptr);
  if (child == 0) {
    auto* left_open = new Result<LocalListener>(LocalListener::bind(path()));
    _exit(*left_open ? 0 : 1);
  }
  ASSERT_GT(child, 0);
  int status = -1;
  ASSERT_EQ(waitpid(static_cast<pid_t>(child), &status, 0), child);
  ASSERT_EQ(status, 0);
  ASSERT_TRUE(LocalStream::connect(path())) << "it is open still";
  auto second = LocalListener::bind(path());
  EXPECT_TRUE(second) << second.error().to_string();
}

TEST_P(LocalSocketTest, LeavesOneThatIsAliveAndOtherFilesAlone) {
  auto first = LocalListener::bind(path());
  ASSERT_TRUE(first);
  const auto second = LocalListener::bind(path());
  ASSERT_FALSE(second);
  EXPECT_EQ(second.error().code(), Errc::exists);
  EXPECT_NE(second.error().to_string().find("listens"), std::string::npos);

  std::ofstream(path("file")) << "precious";
  const auto third = LocalListener::bind(path("file"));
  ASSERT_FALSE(third);
  EXPECT_EQ(third.error().code(), Errc::exists);
  EXPECT_NE(third.error().to_string().find("not a socket"), std::string::npos);
  EXPECT_EQ(std::filesystem::file_size(path("file")), 8u);
}

TEST_P(LocalSocketTest, DoesNotRemoveWhatAnotherPutInItsPlace) {
  {
    auto listener = LocalListener::bind(path());
    ASSERT_TRUE(listener);
    std::filesystem::remove(path());
    std::ofstream(path()) << "another's";
  }
  EXPECT_TRUE(is_there());
}

TEST_P(LocalSocketTest, SaysWhatIsWrongWithAPath) {
  EXPECT_EQ(LocalListener::bind("").error().code(), Errc::invalid_argument);
  EXPECT_EQ(LocalListener::bind(path(std::string(200, 'x'))).error().code(),
            Errc::invalid_argument);
  EXPECT_EQ(LocalListener::bind(path("none/socket")).error().code(), Errc::not_found);
  EXPECT_EQ(LocalStream::connect(path("none")).error().code(), Errc::not_found);
}

// BORROWS: the stream.
async::Task<Result<void>> send_much(LocalStream& stream) {
  co_return co_await async::with_timeout(20ms, stream.send(std::string(4'000'000, 'x')));
}

TEST_P(LocalSocketTest, ASendToOneWhoDoesNotReadCanBeGivenUp) {
  auto listener = LocalListener::bind(path());
  ASSERT_TRUE(listener);
  auto silent = LocalStream::connect(path());
  ASSERT_TRUE(silent);
  auto peer = run(listener->accept());
  ASSERT_TRUE(peer);
  const auto sent = run(send_much(*peer));
  ASSERT_FALSE(sent);
  EXPECT_EQ(sent.error().code(), Errc::timed_out);
}

TEST_P(LocalSocketTest, NoticesThatTheOtherHasLeft) {
  auto listener = LocalListener::bind(path());
  ASSERT_TRUE(listener);
  {
    auto gone = LocalStream::connect(path());
  }
  auto peer = run(listener->accept());
  ASSERT_TRUE(peer);
  const auto heard = run(peer->receive(10));
  ASSERT_TRUE(heard);
  EXPECT_EQ(*heard, "");
  const auto sent = run(peer->send("hello"));
  EXPECT_FALSE(sent);
}

}  // namespace
}  // namespace gossamer::net
