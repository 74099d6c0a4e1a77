#include <cstdint>
#include <memory>
#include <string>
#include <utility>

#include "async/descriptor_limit.h"
#include "async/driver.h"
#include "async/loop.h"
#include "async/scope.h"
#include "base/figures.h"
#include "base/number.h"
#include "cli/commands.h"
#include "cli/fetch_rendering.h"
#include "render/parts.h"
#include "render/renderer.h"
#include "render/websocket.h"
#include "run/machine/web_access.h"
#include "terminal/standard_output.h"

namespace gossamer::cli {

namespace {

void print_driver(const char* name, async::DriverKind kind, const async::DescriptorLimit& limit) {
  const auto driver = async::make_driver(kind);
  if (!driver) {
    terminal::print_out("{:<9} no: {}\n", name, driver.error().message());
    return;
  }
  terminal::print_out("{:<9} yes, up to {} concurrent connections\n", name,
                      base::grouped(async::connections_possible(limit, **driver)));
}

// What a page without requests gets.
class NoParts final : public render::Parts {
 public:
  async::Task<Result<render::PartAnswer>> fetch(http::Request) override {
    co_return fail(Errc::denied);
  }
};

// Renders an empty page, so that all of it was tried: the browser, its isolation, its sandbox.
// BORROWS: the loop.
async::Task<Result<render::Isolation>> try_rendering(async::Loop& loop, std::string render_with) {
  async::Scope browsers(async::OnFailure::keep_going);
  auto web = co_await run::WebAccess::open(loop, browsers, {});
  if (!web) co_return fail(std::move(web).error());
  const auto launcher = make_browsers(render_with, **web, {});
  render::Renderer renderer(*launcher, browsers, {});
  NoParts parts;
  const render::Document page = {
      .url = "http://page.invalid/",
      .answer = {
          .status = 200, .fields = {{"Content-Type", "text/html"}}, .body = "<p>It works.</p>"}};
  auto rendered = co_await renderer.render(page, parts, {});
  renderer.close();
  browsers.cancel();
  static_cast<void>(co_await browsers.join());
  if (!rendered) co_return fail(std::move(rendered).error());
  co_return *renderer.isolation();
}

void print_rendering(std::unique_ptr<async::Driver> driver, const std::string& render_with) {
  async::Loop loop(std::move(driver));
  const auto isolation = loop.run(try_rendering(loop, render_with));
  if (isolation) {
    terminal::print_out("rendering   yes, isolation: {}\n", render::name(*isolation));
  } else {
    terminal::print_out("rendering   no: {}\n", isolation.error().message());
  }
}

struct DoctorSettings {
  std::uint64_t connections = 0;
  std::string render_with;
};

void declare_doctor(options::Table& table, DoctorSettings& settings) {
  table.summary("Show what this machine lets Gossamer do.");
  const auto take = [&settings](const std::string& text) -> std::string {
    return base::parse_number(text, settings.connections)
               ? ""
               : "expected the number of concurrent connections you need";
  };
  table.optional_word(options::custom("CONNECTIONS", take),
                      "the number of concurrent connections you need");
  table.option("render-with", options::text(settings.render_with, "URL"),
               "try to render in this browser: ws://HOST:PORT/...");
}

int run_doctor(DoctorSettings& settings) {
  const std::uint64_t wanted = settings.connections;
  if (!settings.render_with.empty() && !render::parse_websocket_url(settings.render_with)) {
    terminal::print_err("--render-with: not a URL like ws://HOST:PORT/...\n");
    return kUsage;
  }
  const async::DescriptorLimit limit = async::raise_descriptor_limit();
  terminal::print_out("open files  {} (hard limit {})\n", base::grouped(limit.now),
                      base::grouped(limit.most));
  print_driver("io_uring", async::DriverKind::io_uring, limit);
  print_driver("epoll", async::DriverKind::epoll, limit);
  auto driver = async::make_driver(async::DriverKind::automatic);
  if (!driver) return kFailed;
  terminal::print_out("uses        {}\n", (*driver)->name());
  const std::string advice = async::advice_for_connections(wanted, limit, **driver);
  print_rendering(std::move(*driver), settings.render_with);
  if (advice.empty()) {
    if (wanted > 0) terminal::print_out("{} connections are possible\n", base::grouped(wanted));
    return kOk;
  }
  terminal::print_out("{}\n", advice);
  return kFailed;
}

}  // namespace

constinit const Command doctor_command = command_of<declare_doctor, run_doctor>(
    "doctor", "[CONNECTIONS]", "show the limits of this machine");

}  // namespace gossamer::cli
