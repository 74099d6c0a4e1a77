// Tests `gossamer fetch` with a server on its own thread.

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "cli/commands.h"
#include "terminal/standard_output.h"
#include "tests/support/command_run.h"
#include "tests/support/server_thread.h"

namespace gossamer::cli {
namespace {

using support::has;
using ServerThread = support::ScriptedServerThread;

struct FetchOutcome {
  int exit_code = 0;
  std::string out;
  std::string err;
};

FetchOutcome fetch(std::vector<std::string> words) {
  words.push_back("--no-proxy");
  testing::internal::CaptureStdout();
  testing::internal::CaptureStderr();
  FetchOutcome outcome;
  outcome.exit_code = run_command(fetch_command, words);
  EXPECT_TRUE(terminal::standard_output().flush());
  outcome.out = testing::internal::GetCapturedStdout();
  outcome.err = testing::internal::GetCapturedStderr();
  return outcome;
}

std::string plain_answer(const std::string& body, const std::string& fields = {}) {
  return "HTTP/1.1 200 OK\r\n" + fields + "Content-Length: " + std::to_string(body.size()) +
         "\r\n\r\n" + body;
}

class FetchCommandTest : public testing::Test {
 protected:
  void SetUp() override {
    folder_ =
        std::filesystem::temp_directory_path() / ("gossamer-fetch-" + std::to_string(getpid()));
    std::filesystem::create_directories(folder_);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  std::string file(const std::string& name) const { return (folder_ / name).string(); }
  static std::string content(const std::string& path) {
    std::ifstream in(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
  }

 private:
  std::filesystem::path folder_;
};

TEST_F(FetchCommandTest, PrintsTheBody) {
  ServerThread server({{.bytes = plain_answer("hello\n")}});
  const FetchOutcome outcome = fetch({server.url("/a?b")});
  EXPECT_EQ(outcome.exit_code, kOk);
  EXPECT_EQ(outcome.out, "hello\n");
  EXPECT_EQ(outcome.err, "");
  server.stop();
  EXPECT_TRUE(server.requests().at(0).starts_with("GET /a?b HTTP/1.1\r\nHost: 127.0.0.1:"));
  EXPECT_TRUE(has(server.requests()[0], "\r\nAccept-Encoding: gzip, deflate, br, zstd\r\n"));
}

TEST_F(FetchCommandTest, ShowsTheHead) {
  ServerThread server({{.bytes = plain_answer("x", "A: b\r\n")}});
  EXPECT_EQ(fetch({"-i", server.url("/")}).out,
            "HTTP/1.1 200 OK\r\nA: b\r\nContent-Length: 1\r\n\r\nx");
}

TEST_F(FetchCommandTest, AsksForTheHeadAlone) {
  ServerThread server({{.bytes = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n"}});
  const FetchOutcome outcome = fetch({"-I", server.url("/")});
  EXPECT_EQ(outcome.exit_code, kOk);
  EXPECT_EQ(outcome.out, "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n");
  server.stop();
  EXPECT_TRUE(server.requests().at(0).starts_with("HEAD / "));
}

TEST_F(FetchCommandTest, WritesAFile) {
  ServerThread server({{.bytes = plain_answer("hello")}});
  const FetchOutcome outcome = fetch({"-o", file("out"), server.url("/")});
  EXPECT_EQ(outcome.exit_code, kOk);
  EXPECT_EQ(outcome.out, "");
  EXPECT_EQ(content(file("out")), "hello");
  EXPECT_EQ(fetch({"-o", file("no/such/folder"), server.url("/")}).exit_code, kFileFailed);
}

TEST_F(FetchCommandTest, LeavesAnOlderFileAloneWhenNothingCame) {
  std::ofstream(file("old")) << "precious";
  EXPECT_EQ(fetch({"-o", file("old"), "http://nobody.invalid/"}).exit_code, kNetworkFailed);
  EXPECT_EQ(content(file("old")), "precious");
  ServerThread server({{.bytes = plain_answer("")}});
  EXPECT_EQ(fetch({"-o", file("old"), server.url("/")}).exit_code, kOk);
  EXPECT_EQ(content(file("old")), "") << "an empty page is a page";
}

TEST_F(FetchCommandTest, SaysAllItKnowsInJson) {
  ServerThread server({{.bytes = plain_answer("hello", "Content-Type: text/plain\r\n")}});
  const FetchOutcome outcome = fetch({"--json", server.url("/")});
  EXPECT_TRUE(has(outcome.out, R"("status": 200, "content_type": "text/plain", "body_bytes": 5)"))
      << outcome.out;
  for (const char* member : {R"("complete": true)", R"("remote": "127.0.0.1:)", R"("dns": )",
                             R"("connect": )", R"("first_byte": )", R"("total": )",
                             R"("protocol": "HTTP/1.1")", R"("bytes_received": )"}) {
    EXPECT_TRUE(has(outcome.out, member)) << member << " in " << outcome.out;
  }
}

TEST_F(FetchCommandTest, FetchesManyAtOnceWithoutMixingThem) {
  ServerThread server({{.bytes = plain_answer(std::string(5000, 'a'), "Connection: keep-alive\r\n"),
                        .piece = 700}});
  std::vector<std::string> words = {"--parallel", "8"};
  for (int i = 0; i < 40; ++i) words.push_back(server.url("/" + std::to_string(i)));
  const FetchOutcome outcome = fetch(words);
  EXPECT_EQ(outcome.exit_code, kOk) << outcome.err;
  EXPECT_EQ(outcome.out, std::string(40 * 5000, 'a'));
  server.stop();
  EXPECT_EQ(server.requests().size(), 40u);
}

TEST_F(FetchCommandTest, HasTheExitCodesOfWget) {
  ServerThread missing({{.bytes = "HTTP/1.1 404 No\r\nContent-Length: 0\r\n\r\n"}});
  EXPECT_EQ(fetch({missing.url("/")}).exit_code, kServerError);
  ServerThread locked({{.bytes = "HTTP/1.1 401 No\r\nContent-Length: 0\r\n\r\n"}});
  EXPECT_EQ(fetch({locked.url("/")}).exit_code, kAuthenticationFailed);
  ServerThread broken({{.bytes = "what?\r\n\r\n", .closes = true}});
  EXPECT_EQ(fetch({broken.url("/")}).exit_code, kProtocolFailed);
  ServerThread cut({{.bytes = plain_answer("hello").substr(0, 42), .closes = true}});
  EXPECT_EQ(fetch({cut.url("/")}).exit_code, kNetworkFailed);
  EXPECT_EQ(fetch({"http://nobody.invalid/"}).exit_code, kNetworkFailed);
  EXPECT_EQ(fetch({"ftp://a.example/"}).exit_code, kUsage);
  EXPECT_EQ(fetch({}).exit_code, kUsage);
  EXPECT_EQ(fetch({missing.url("/"), "http://nobody.invalid/"}).exit_code, kNetworkFailed)
      << "the lower one wins";
}

TEST_F(FetchCommandTest, NamesTheStepThatFailed) {
  ServerThread cut({{.bytes = plain_answer("hello").substr(0, 42), .closes = true}});
  const FetchOutcome outcome = fetch({cut.url("/")});
  EXPECT_TRUE(has(outcome.err, "the connection closed")) << outcome.err;
  EXPECT_TRUE(has(outcome.err, "reading the body")) << outcome.err;
  EXPECT_TRUE(has(outcome.err, "with 4 B of the body received")) << outcome.err;
  EXPECT_EQ(outcome.out, "hell") << "what came is shown";
}

TEST_F(FetchCommandTest, SaysHowMuchCameBeforeTheLimit) {
  ServerThread stalled({{.bytes = plain_answer("hello").substr(0, 42)}});
  const FetchOutcome outcome = fetch({"-m", "500ms", stalled.url("/")});
  EXPECT_EQ(outcome.exit_code, kNetworkFailed);
  EXPECT_TRUE(has(outcome.err, "not complete after 500 ms")) << outcome.err;
  EXPECT_TRUE(has(outcome.err, "with 4 B of the body received")) << outcome.err;
  EXPECT_TRUE(has(outcome.err, "--max-time to wait longer")) << outcome.err;
}

TEST_F(FetchCommandTest, GoesWhereItIsTold) {
  ServerThread server({{.bytes = plain_answer("here")}});
  const std::string host = "a.example:" + server.port();
  const FetchOutcome outcome =
      fetch({"--allow-private", "--resolve", host + ":127.0.0.1", "http://" + host + "/"});
  EXPECT_EQ(outcome.out, "here") << outcome.err;
  server.stop();
  EXPECT_TRUE(has(server.requests().at(0), "\r\nHost: " + host + "\r\n"));
  EXPECT_EQ(fetch({"--resolve", "a.example:127.0.0.1", "http://a.example/"}).exit_code, kUsage);
}

std::string redirect(const std::string& place, const std::string& status = "302 Found") {
  return "HTTP/1.1 " + status + "\r\nLocation: " + place + "\r\nContent-Length: 0\r\n\r\n";
}

TEST_F(FetchCommandTest, FollowsRedirectsWhenTold) {
  ServerThread server({{.bytes = redirect("/b")}, {.bytes = plain_answer("there")}});
  const FetchOutcome outcome = fetch({"-L", "-i", "-d", "form", server.url("/a")});
  EXPECT_TRUE(has(outcome.out, "302 Found")) << outcome.out;
  EXPECT_TRUE(outcome.out.ends_with("\r\n\r\nthere")) << outcome.out;
  server.stop();
  ASSERT_EQ(server.requests().size(), 2u);
  EXPECT_TRUE(has(server.requests()[1], "GET /b ")) << server.requests()[1];
  EXPECT_FALSE(has(server.requests()[1], "Content-Length")) << "the form is not sent again";
}

TEST_F(FetchCommandTest, FollowsOnlySoManyRedirects) {
  ServerThread server({{.bytes = redirect("/again")}});
  const FetchOutcome outcome = fetch({"-L", server.url("/")});
  EXPECT_EQ(outcome.exit_code, kProtocolFailed);
  EXPECT_TRUE(has(outcome.err, "more than 20 redirects")) << outcome.err;
}

TEST_F(FetchCommandTest, TakesNoSecretsToAnotherOrigin) {
  ServerThread other({{.bytes = plain_answer("there")}});
  ServerThread server({{.bytes = redirect(other.url("/"), "307 Temporary")}});
  const FetchOutcome outcome = fetch({"-L", "--json", "-d", "form", "-H", "X-Key: hunter2", "-H",
                                      "Accept-Language: de", server.url("/")});
  EXPECT_TRUE(has(outcome.out, "\"final_url\": \"" + other.url("/") + "\"")) << outcome.out;
  server.stop();
  other.stop();
  EXPECT_TRUE(has(server.requests().at(0), "X-Key: hunter2"));
  EXPECT_FALSE(has(other.requests().at(0), "X-Key"));
  EXPECT_TRUE(has(other.requests().at(0), "Accept-Language: de"));
  EXPECT_TRUE(other.requests().at(0).starts_with("POST "));
}

TEST_F(FetchCommandTest, SendsAFile) {
  std::ofstream(file("form")) << "a=1\n";
  ServerThread server({{.bytes = plain_answer("x")}});
  EXPECT_EQ(fetch({"-d", "@" + file("form"), server.url("/")}).exit_code, kOk);
  EXPECT_EQ(fetch({"-d", "@" + file("none"), server.url("/")}).exit_code, kUsage);
  server.stop();
  EXPECT_TRUE(has(server.requests().at(0), "Content-Length: 4\r\n"));
}

TEST_F(FetchCommandTest, IsSilentWhenTold) {
  const FetchOutcome outcome = fetch({"-s", "http://127.0.0.1:1/"});
  EXPECT_EQ(outcome.exit_code, kNetworkFailed);
  EXPECT_EQ(outcome.err, "");
}

TEST_F(FetchCommandTest, NeedsPermissionForMetadataServices) {
  const FetchOutcome outcome = fetch({"http://169.254.169.254/latest/"});
  EXPECT_EQ(outcome.exit_code, kNetworkFailed);
  EXPECT_TRUE(has(outcome.err, "cloud metadata")) << outcome.err;
  EXPECT_TRUE(has(outcome.err, "Use --allow-private")) << outcome.err;
}

TEST_F(FetchCommandTest, NeverPrintsAPassword) {
  for (const char* url : {"http://me:hunter2@127.0.0.1:1/", "http://me:hunter2@a b/",
                          "htp://me:hunter2@a.example/"}) {
    for (const char* form : {"-i", "--json"}) {
      const FetchOutcome outcome = fetch({form, url});
      EXPECT_NE(outcome.exit_code, kOk);
      EXPECT_FALSE(has(outcome.err + outcome.out, "hunter2")) << outcome.err << outcome.out;
    }
  }
  EXPECT_FALSE(has(fetch({"-x", "http://me:hunter2@a b:80", "http://a.example/"}).err, "hunter2"));
}

TEST_F(FetchCommandTest, FindsHostsByTheirNameInAnyScript) {
  ServerThread server({{.bytes = plain_answer("here")}});
  const FetchOutcome outcome =
      fetch({"--allow-private", "--resolve", "B\u00dccher.example:" + server.port() + ":127.0.0.1",
             "http://b\u00fccher.example:" + server.port() + "/"});
  EXPECT_EQ(outcome.out, "here") << outcome.err;
}

TEST_F(FetchCommandTest, SendsNothingThatEndsALineEarly) {
  ServerThread server({{.bytes = plain_answer("x")}});
  EXPECT_NE(fetch({"-H", "A: b\r\nInjected: yes", server.url("/")}).exit_code, kOk);
  EXPECT_EQ(fetch({"-H", "A: b", server.url("/a\r\nInjected: yes")}).exit_code, kOk);
  server.stop();
  ASSERT_EQ(server.requests().size(), 1u);
  EXPECT_FALSE(has(server.requests()[0], "\r\nInjected"));
}

TEST_F(FetchCommandTest, KeepsCookiesInAFile) {
  ServerThread server({{.bytes = plain_answer("x", "Set-Cookie: id=7; Max-Age=1000\r\n")}});
  const std::string jar = file("cookies.txt");
  EXPECT_EQ(fetch({"-c", jar, server.url("/")}).exit_code, kOk);
  EXPECT_TRUE(has(content(jar), "\tid\t7")) << content(jar);
  EXPECT_EQ(fetch({"-c", jar, server.url("/")}).exit_code, kOk);
  server.stop();
  EXPECT_FALSE(has(server.requests().at(0), "Cookie:"));
  EXPECT_TRUE(has(server.requests().at(1), "\r\nCookie: id=7\r\n"));
}

TEST_F(FetchCommandTest, TellsAPasswordOnlyToAServerThatAsks) {
  const std::string challenge =
      "HTTP/1.1 401 No\r\nWWW-Authenticate: Basic realm=\"r\"\r\nContent-Length: 0\r\n\r\n";
  ServerThread server({{.bytes = challenge}, {.bytes = plain_answer("secret")}});
  EXPECT_EQ(fetch({"-u", "jan:word", server.url("/")}).out, "secret");
  server.stop();
  EXPECT_FALSE(has(server.requests().at(0), "Authorization"));
  EXPECT_TRUE(has(server.requests().at(1), "\r\nAuthorization: Basic amFuOndvcmQ=\r\n"));
}

TEST_F(FetchCommandTest, AnswersADigestChallenge) {
  const std::string challenge =
      "HTTP/1.1 401 No\r\nWWW-Authenticate: Digest realm=\"r\", nonce=\"n\", qop=\"auth\", "
      "algorithm=SHA-256\r\nContent-Length: 0\r\n\r\n";
  ServerThread server({{.bytes = challenge}, {.bytes = plain_answer("secret")}});
  EXPECT_EQ(fetch({"-u", "jan:word", server.url("/x")}).out, "secret");
  server.stop();
  EXPECT_TRUE(has(server.requests().at(1), "\r\nAuthorization: Digest "));
  EXPECT_TRUE(has(server.requests().at(1), "uri=\"/x\""));
  EXPECT_FALSE(has(server.requests().at(1), "word"));
}

}  // namespace
}  // namespace gossamer::cli
