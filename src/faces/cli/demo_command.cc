
#include <utility>

#include "async/loop.h"
#include "async/scope.h"
#include "async/socket.h"
#include "base/figures.h"
#include "cli/commands.h"
#include "cli/crawl_arguments.h"
#include "cli/crawl_session.h"
#include "settings/crawl_output_arguments.h"
#include "site/comparison.h"
#include "site/demo_server.h"
#include "site/site.h"
#include "terminal/standard_output.h"

namespace gossamer::cli {
namespace {

constexpr std::string_view kDemoCommand = "demo";

struct DemoArguments {
  bool is_quiet = false;
  site::SiteOptions site = site::SiteOptions::demo(1);
  CrawlArguments crawl;
};

void declare_demo(options::Table& table, DemoArguments& demo) {
  table.summary(
      "Serve a synthetic site on this machine and crawl it. The site has links in many\n"
      "spellings, redirects, copies, errors, slow pages, robots.txt and several encodings.");
  table.option("seed", options::count(demo.site.seed), "generate the site from this seed");
  table.option("pages", options::count(demo.site.pages), "set the number of pages");
  table.repeated("report", settings::report_value(demo.crawl.output.findings.report_files),
                 "write a report; the extension selects HTML, JSON or Markdown");
  table.flag("q,quiet", demo.is_quiet, "print only whether all pages were found");
}

// Returns an exit code if the site cannot be made.
std::optional<int> complete_demo(DemoArguments& demo) {
  if (auto good = site::validate(demo.site); !good) {
    return usage_error(kDemoCommand, good.error().detail());
  }
  CrawlOutputOptions& output = demo.crawl.output;
  output.command = kDemoCommand;
  output.format = crawler::CrawlFormat::text;
  output.results_file = demo.is_quiet ? "/dev/null" : "";
  output.has_report = output.has_progress = !demo.is_quiet;
  return std::nullopt;
}

// Compares the crawl with the site and prints the result.
int judge(const site::Site& site, const std::vector<site::CrawledUrl>& crawled) {
  const site::Comparison comparison = site::compare(site.layout(), site.truth(), crawled);
  if (!comparison.is_equal()) {
    terminal::print_err("gossamer demo: the crawl differs from the site:\n{}",
                        site::describe(comparison));
    return kFailed;
  }
  terminal::print_err("all {} fetchable pages of the site were fetched, each once\n",
                      base::grouped(comparison.equal));
  return kOk;
}

// BORROWS: the loop.
async::Task<run::Outcome<int>> show(async::Loop& loop, DemoArguments demo) {
  auto listener = async::Listener::bind(async::Endpoint::loopback(0));
  if (!listener) co_return run::fail_in(run::Part::network, std::move(listener).error());
  demo.site.hosts = {listener->endpoint().to_string()};
  const site::Site site(std::move(demo.site));
  site::DemoServer server(site);
  demo.crawl.crawl.roots = {site.root()};
  if (auto settled = run::complete(demo.crawl.crawl); !settled) {
    co_return run::fail_in(run::Part::settings, std::move(settled).error());
  }

  async::Scope scope(async::OnFailure::keep_going);
  auto serving = scope.spawn(server.run(std::move(*listener)));
  std::vector<site::CrawledUrl> crawled;
  auto outcome = co_await run_crawl_session(
      loop, std::move(demo.crawl), [&crawled](const crawler::FetchRecord& record) {
        crawled.push_back({record.url, record.status.value_or(0), record.next_url});
      });
  serving.cancel();
  static_cast<void>(co_await scope.join());
  if (!outcome) co_return std::unexpected(std::move(outcome).error());
  if (outcome->end != crawler::EndReason::finished) co_return outcome->exit_code;
  co_return judge(site, crawled);
}

int run_demo(DemoArguments& demo) {
  if (const auto exit_code = complete_demo(demo)) return *exit_code;
  auto driver = prepare_driver(demo.crawl);
  if (!driver) return usage_error(kDemoCommand, driver.error().message());
  async::Loop loop(std::move(*driver));
  const auto exit_code = loop.run(show(loop, std::move(demo)));
  return exit_code ? *exit_code : report_failure(kDemoCommand, exit_code.error());
}

}  // namespace

constinit const Command demo_command = command_of<declare_demo, run_demo>(
    kDemoCommand, "[--seed N] [--pages N]", "crawl a synthetic site on this machine");

}  // namespace gossamer::cli
