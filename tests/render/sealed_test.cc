// A page that tries all ways out, in a network of its own where every packet is counted.

#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "async/loop.h"
#include "async/scope.h"
#include "render/browser_process.h"
#include "render/renderer.h"
#include "tests/support/command_run.h"
#include "tests/support/places.h"
#include "tests/support/private_network.h"
#include "tests/support/server_program.h"

namespace gossamer::render {
namespace {

constexpr unsigned kNobody = 65534;  // who runs browsers for root

// Answers everything with this script, and nothing else.
class OneScript final : public Parts {
 public:
  explicit OneScript(std::string script) : script_(std::move(script)) {}

  async::Task<Result<PartAnswer>> fetch(http::Request request) override {
    if (request.url.pathname() != "/worker.js") co_return fail(Errc::denied);
    co_return PartAnswer{
        .status = 200, .fields = {{"Content-Type", "text/javascript"}}, .body = script_};
  }

 private:
  const std::string script_;
};

// BORROWS: the parts.
async::Task<Result<Rendered>> render_with(Isolation strongest, Document document, Parts& parts) {
  async::Scope scope(async::OnFailure::keep_going);
  Result<Rendered> rendered = fail(Errc::internal);
  {
    ProcessLauncher launcher(strongest);
    Renderer renderer(launcher, scope, {});
    rendered = co_await renderer.render(std::move(document), parts, {});
    renderer.close();
  }
  static_cast<void>(co_await scope.join());
  co_return rendered;
}

class SealedTest : public testing::Test {
 protected:
  void SetUp() override {
    if (!find_browser()) GTEST_SKIP() << "chromium-headless-shell is not installed";
    if (!network_.missing().empty()) GTEST_SKIP() << network_.missing();
    port_ = support::free_port();
    site_ = std::make_unique<support::Program>(std::vector<std::string>{
        support::kPython, support::source_path("tests/end_to_end/scripted_site.py"),
        folder_.file("log"), std::to_string(port_), std::to_string(support::free_port())});
    ASSERT_TRUE(site_->wait_until_listening(port_));
  }

  std::string content_of(const std::string& path) const {
    support::CommandRun run(
        {"fetch", "--no-proxy", "http://127.0.0.1:" + std::to_string(port_) + path});
    EXPECT_EQ(run.wait(), 0) << run.err();
    return run.out();
  }

  support::TestFolder folder_;
  support::PrivateNetwork network_;
  std::uint16_t port_ = 0;
  std::unique_ptr<support::Program> site_;
};

TEST_F(SealedTest, ABrowserSendsNoPacket) {
  OneScript parts(content_of("/worker.js"));
  const std::string page = content_of("/hostile");
  network_.count_packets_of(kNobody);
  for (const Isolation isolation : {Isolation::flags, Isolation::no_network, Isolation::sealed}) {
    SCOPED_TRACE(name(isolation));
    async::Loop loop;
    const auto rendered = loop.run(render_with(
        isolation,
        {.url = "http://page.example/hostile",
         .answer = {.status = 200, .fields = {{"Content-Type", "text/html"}}, .body = page}},
        parts));
    ASSERT_TRUE(rendered.has_value()) << rendered.error().to_string();
    EXPECT_GT(rendered->parts, 0U) << "its scripts did not run";
    EXPECT_EQ(network_.counted_packets(), 0U);
  }
  // The counter counts.
  support::Program sender({support::kPython, "-c",
                           "import os, socket; os.setuid(65534);"
                           "socket.socket(type=socket.SOCK_DGRAM).sendto(b'x', ('127.0.0.1', 9))"});
  EXPECT_EQ(sender.wait_for_end(), 0);
  EXPECT_GT(network_.counted_packets(), 0U);
}

}  // namespace
}  // namespace gossamer::render
