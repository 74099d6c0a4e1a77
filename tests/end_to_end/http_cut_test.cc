// Tests connections that end at every byte of a response, orderly and by reset. A response is
// complete only if its framing says so, and the received part is correct.

#include <gtest/gtest.h>
#include <zlib.h>

#include <string>
#include <utility>
#include <vector>

#include "tests/end_to_end/http_fetch.h"
#include "tests/end_to_end/http_hostile_server.h"
#include "tests/end_to_end/http_servers.h"
#include "tests/support/driver_test.h"
#include "wire/content_coding.h"

namespace gossamer::http {
namespace {

using async::Task;
using async::tested_driver_name;
using async::TestedDriver;

constexpr std::string_view kText = "Some text, and some more text, to be cut.";

struct Canned {
  std::string name;
  std::string bytes;
  std::string body = std::string(kText);
  bool ends_with_connection = false;
};

std::string gzipped(std::string_view text) {
  z_stream stream = {};
  EXPECT_EQ(deflateInit2(&stream, 9, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY), Z_OK);
  std::string out(deflateBound(&stream, text.size()), '\0');
  std::string input(text);
  stream.next_in = reinterpret_cast<Bytef*>(input.data());
  stream.avail_in = static_cast<uInt>(input.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  EXPECT_EQ(deflate(&stream, Z_FINISH), Z_STREAM_END);
  out.resize(stream.total_out);
  deflateEnd(&stream);
  return out;
}

std::string chunk(std::string_view data) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string size;
  for (std::size_t left = data.size(); left > 0; left /= 16) size.insert(0, 1, kDigits[left % 16]);
  return size + "\r\n" + std::string(data) + "\r\n";
}

std::vector<Canned> canned_answers() {
  const std::string text(kText);
  const std::string zipped = gzipped(kText);
  const std::string ok = "HTTP/1.1 200 OK\r\n";
  const auto length = [](const std::string& body) {
    return "Content-Length: " + std::to_string(body.size()) + "\r\n\r\n" + body;
  };
  const std::string chunked = "Transfer-Encoding: chunked\r\n\r\n";
  const std::string gzip = "Content-Encoding: gzip\r\n";
  return {
      {"length", ok + "Content-Type: text/plain\r\n" + length(text)},
      {"no body", ok + "Content-Length: 0\r\n\r\n", ""},
      {"chunked", ok + chunked + chunk(text.substr(0, 20)) + chunk(text.substr(20)) + "0\r\n\r\n"},
      {"chunked, with all there is", ok + chunked + "14;a=b;c=\"d\"\r\n" + text.substr(0, 20) +
                                         "\r\n" + chunk(text.substr(20)) +
                                         "0\r\nTrailer: field\r\n\r\n"},
      {"gzip", ok + gzip + length(zipped)},
      {"gzip, chunked",
       ok + gzip + chunked + chunk(zipped.substr(0, 9)) + chunk(zipped.substr(9)) + "0\r\n\r\n"},
      {"after interim answers",
       "HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n" + ok + length(text)},
      {"until close", ok + "\r\n" + text, text, true},
      {"HTTP/1.0", "HTTP/1.0 200 OK\r\n\r\n" + text, text, true},
      {"gzip, until close", ok + gzip + "\r\n" + zipped, text, true},
  };
}

class CutTest : public async::DriverTest {};

ON_REAL_DRIVERS(CutTest);

void check_cut(const Canned& canned, std::size_t offset, Ending ending,
               const Result<Fetched>& fetched) {
  SCOPED_TRACE(canned.name + (ending == Ending::fin ? ", FIN" : ", RST") + " after " +
               std::to_string(offset) + " of " + std::to_string(canned.bytes.size()));
  const bool is_all = offset == canned.bytes.size();
  const bool has_head = offset >= canned.bytes.find("\r\n\r\n") + 4;
  if (!fetched) {
    EXPECT_FALSE(is_all && ending == Ending::fin) << fetched.error().to_string();
    EXPECT_TRUE(fetched.error() == Errc::peer_closed || fetched.error() == Errc::reset)
        << fetched.error().to_string();
    return;
  }
  EXPECT_EQ(fetched->status, 200);
  EXPECT_TRUE(canned.body.starts_with(fetched->body)) << fetched->body;
  const bool is_ended = ending == Ending::fin && has_head && canned.ends_with_connection;
  if (is_all && ending == Ending::fin) {
    EXPECT_TRUE(fetched->is_whole());
    EXPECT_EQ(fetched->body, canned.body);
  } else if (!is_all) {
    EXPECT_EQ(fetched->is_complete, is_ended);
    // Where only the connection's end tells, a coded body still tells that it is cut.
    const bool is_coded = canned.bytes.find("gzip") != std::string::npos;
    const bool has_bytes = offset > canned.bytes.find("\r\n\r\n") + 4;
    EXPECT_EQ(fetched->trouble.has_value(), !is_ended || (is_coded && has_bytes));
  }
  if (canned.ends_with_connection && ending == Ending::rst) EXPECT_FALSE(fetched->is_complete);
  if (fetched->is_whole() && !is_ended) EXPECT_EQ(fetched->body, canned.body);
}

TEST_P(CutTest, IsSeenAtEveryByte) {
  struct Case {
    const Canned* canned;
    std::size_t offset;
    Ending ending;
  };
  const std::vector<Canned> all = canned_answers();
  std::vector<Case> cases;
  std::vector<Fault> table;
  for (const Canned& canned : all) {
    for (std::size_t offset = 0; offset <= canned.bytes.size(); ++offset) {
      for (const Ending ending : {Ending::fin, Ending::rst}) {
        cases.push_back({&canned, offset, ending});
        table.push_back({.bytes = canned.bytes.substr(0, offset), .ending = ending});
      }
    }
  }
  HostileServer server(std::move(table));
  run([](const HostileServer& hostile, const std::vector<Case>& every) -> Task<void> {
    LocalClient local;
    for (std::size_t i = 0; i < every.size(); ++i) {
      const auto fetched = co_await fetch(local.client, hostile.url(i));
      check_cut(*every[i].canned, every[i].offset, every[i].ending, fetched);
      EXPECT_TRUE(local.has_all_back());
      if (testing::Test::HasFailure()) co_return;
    }
  }(server, cases));
}

// A request that must not be repeated fails instead.
TEST_P(CutTest, IsMetByAskingAgainOnlyWhereThatDoesNoHarm) {
  const std::string whole = canned_answers().front().bytes;
  for (const std::string method : {"GET", "POST"}) {
    HostileServer server(
        {{.bytes = whole}, {.bytes = "", .ending = Ending::rst}, {.bytes = whole}});
    run([](const HostileServer& hostile, std::string how) -> Task<void> {
      LocalClient local;
      for (int i = 0; i < 3; ++i) {
        static_cast<void>(co_await fetch(local.client, hostile.url(0), {.method = how}));
        auto cut = co_await fetch(local.client, hostile.url(1), {.method = how});
        EXPECT_FALSE(cut);
        EXPECT_EQ(local.client.pool().open(), 0u);
      }
    }(server, method));
    // The second request of each round met a dead connection, and was heard only if repeated.
    EXPECT_EQ(server.requests(), method == "GET" ? 6u : 3u) << method;
  }
}

class TlsCutTest : public async::DriverTest {
 protected:
  static void SetUpTestSuite() {
    if (support::is_installed(support::kNginx) && support::is_installed(support::kOpenssl))
      nginx = new Nginx();
  }
  static void TearDownTestSuite() {
    delete nginx;
    nginx = nullptr;
  }
  void SetUp() override {
    if (nginx == nullptr) GTEST_SKIP() << "no nginx, or no openssl";
    DriverTest::SetUp();
  }

  static inline Nginx* nginx = nullptr;
};

ON_REAL_DRIVERS(TlsCutTest);

// Fetches the page from nginx through a relay that cuts. Sessions are not resumed, so that every
// conversation is as long as the last.
class CutFetcher {
 public:
  CutFetcher(const Nginx& nginx, std::string path, bool accepts_gzip, ClientOptions options = {})
      : relay_(nginx.tls_port()),
        url_("https://127.0.0.1:" + std::to_string(relay_.port()) + path),
        local_(std::move(options), trusting(nginx.certificate_file(), {.session_origins_max = 0})) {
    options_.fields = {{"Connection", "close"}};
    if (accepts_gzip) options_.fields.push_back({"Accept-Encoding", "gzip"});
  }

  // BORROWS: this.
  Task<Result<Fetched>> fetch_cut(std::size_t bytes, Ending ending) {
    relay_.cut_after(bytes, ending);
    auto fetched = ending == Ending::silence
                       ? co_await fetch_in_any_time(local_.client, url_, options_)
                       : co_await fetch(local_.client, url_, options_);
    EXPECT_EQ(local_.client.pool().open(), 0u);
    // A connection that was left is closed when the loop comes to it, which must not be held here.
    if (ending != Ending::silence) carried_ = relay_.wait_for_end();
    co_return fetched;
  }
  std::size_t carried() const { return carried_; }

 private:
  CuttingRelay relay_;
  std::string url_;
  LocalClient local_;
  FetchOptions options_;
  std::size_t carried_ = 0;
};

// A sample of what is before the answer, and all around its end.
std::vector<std::size_t> sampled_offsets(std::size_t total) {
  const std::size_t stride = async::kSanitized ? 131 : 53;
  std::vector<std::size_t> offsets;
  for (std::size_t offset = 0; offset < total - 60; offset += stride) offsets.push_back(offset);
  for (std::size_t offset = total - 60; offset < total; offset += 3) offsets.push_back(offset);
  return offsets;
}

Task<void> cut_everywhere(const Nginx& nginx, std::string path, bool accepts_gzip) {
  // BORROWS: the nginx.
  CutFetcher fetcher(nginx, path, accepts_gzip);
  const auto uncut = co_await fetcher.fetch_cut(std::size_t{1} << 30, Ending::fin);
  EXPECT_TRUE(uncut && uncut->is_whole());
  const std::size_t total = fetcher.carried();
  const bool ends_with_connection = path.starts_with("/until_close");
  for (const std::size_t offset : sampled_offsets(total)) {
    for (const Ending ending : {Ending::fin, Ending::rst}) {
      SCOPED_TRACE(path + " cut after " + std::to_string(offset) + " of " + std::to_string(total));
      const auto fetched = co_await fetcher.fetch_cut(offset, ending);
      EXPECT_FALSE(fetched && fetched->is_complete && ends_with_connection);
      if (fetched && fetched->is_complete) {
        EXPECT_TRUE(fetched->is_whole());
        EXPECT_TRUE(fetched->body == nginx.page());
        EXPECT_GT(offset, total - 60);
      }
      if (fetched) EXPECT_TRUE(nginx.page().starts_with(fetched->body));
    }
  }
}

TEST_P(TlsCutTest, IsSeenInABodyOfKnownLength) { run(cut_everywhere(*nginx, "/page.html", false)); }

TEST_P(TlsCutTest, IsSeenInACodedBodyInChunks) { run(cut_everywhere(*nginx, "/page.html", true)); }

TEST_P(TlsCutTest, IsToldFromTheEndOfTheConnection) {
  run(cut_everywhere(*nginx, "/until_close/page.html", true));
}

constexpr std::string_view kHandshake = "while connecting to 127.0.0.1";

bool is_of_the_handshake(const Result<Fetched>& fetched) {
  return !fetched && fetched.error().to_string().find(kHandshake) != std::string::npos;
}

// How many bytes of the server the client needs for its part of the handshake: the first cut that
// fails elsewhere. BORROWS: the fetcher.
Task<std::size_t> handshake_bytes(CutFetcher& fetcher) {
  std::size_t short_of = 0;
  std::size_t enough = 16 * 1024;
  while (enough - short_of > 1) {
    const std::size_t middle = short_of + (enough - short_of) / 2;
    const bool is_cut = is_of_the_handshake(co_await fetcher.fetch_cut(middle, Ending::fin));
    (is_cut ? short_of : enough) = middle;
  }
  co_return enough;
}

Task<void> cut_the_handshake(const Nginx& nginx) {  // BORROWS: the nginx
  CutFetcher fetcher(nginx, "/page.html", false);
  const std::size_t total = co_await handshake_bytes(fetcher);
  EXPECT_GT(total, 500u);
  const std::size_t stride = async::kSanitized ? 17 : 1;
  for (std::size_t offset = 0; offset < total; offset += stride) {
    for (const Ending ending : {Ending::fin, Ending::rst}) {
      const auto fetched = co_await fetcher.fetch_cut(offset, ending);
      const std::string what = fetched ? "an answer" : fetched.error().to_string();
      SCOPED_TRACE(what + (ending == Ending::fin ? ": FIN" : ": RST") + " after " +
                   std::to_string(offset) + " of " + std::to_string(total));
      EXPECT_TRUE(is_of_the_handshake(fetched));
      // An RST takes along what was not yet read, but never becomes an end in order.
      EXPECT_TRUE(!fetched && (fetched.error() == Errc::reset ||
                               (fetched.error() == Errc::peer_closed && ending == Ending::fin)));
      if (testing::Test::HasFailure()) co_return;
    }
  }
}

TEST_P(TlsCutTest, IsSeenAtEveryByteOfTheHandshake) { run(cut_the_handshake(*nginx)); }

Task<void> stop_in_the_handshake(const Nginx& nginx) {  // BORROWS: the nginx
  ClientOptions options;
  options.deadlines.handshake = 100ms;
  CutFetcher fetcher(nginx, "/page.html", false, options);
  for (const std::size_t offset : {0, 3, 5, 100, 140, 500}) {
    const Instant begun = async::Loop::current().now();
    const auto fetched = co_await fetcher.fetch_cut(offset, Ending::silence);
    SCOPED_TRACE(offset);
    EXPECT_TRUE(is_of_the_handshake(fetched));
    EXPECT_TRUE(!fetched && fetched.error() == Errc::timed_out);
    EXPECT_GE(async::Loop::current().now() - begun, options.deadlines.handshake);
  }
}

TEST_P(TlsCutTest, AHandshakeThatStopsEndsAtItsDeadline) { run(stop_in_the_handshake(*nginx)); }

}  // namespace
}  // namespace gossamer::http
