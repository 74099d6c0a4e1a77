#include "cli/check_session.h"

#include <fmt/format.h>
#include <signal.h>

#include <memory>
#include <random>
#include <utility>

#include "async/scope.h"
#include "async/signals.h"
#include "base/random.h"
#include "check/page_checker.h"
#include "cli/cookie_file.h"
#include "cli/crawl_login.h"
#include "cli/crawl_progress.h"
#include "cli/progress_display.h"
#include "cli/wall_clock.h"
#include "cli/web_access.h"
#include "crawl/crawl.h"
#include "crawl/engine.h"
#include "crawl/memory_frontier.h"

namespace gossamer::cli {
namespace {

class CheckSession {
 public:
  // BORROWS: all but the arguments.
  CheckSession(async::Loop& loop, WebAccess& web, async::Scope& scope, check::PageChecker& checker,
               CrawlArguments arguments, bool has_progress)
      : loop_(loop),
        arguments_(std::move(arguments)),
        has_progress_(has_progress),
        random_(std::random_device()()),
        world_({.client = web.client(),
                .resolver = web.resolver_of_hosts(),
                .random = random_,
                .scope = scope,
                .wall_start = wall_now(),
                .loop_start = loop.now()}),
        frontier_(loop, crawl::frontier_options(arguments_.crawl, world_), nullptr),
        engine_(world_, std::move(arguments_.crawl), frontier_, checker, cookies_) {}

  // BORROWS: the session.
  async::Task<Result<crawl::EndReason>> run();

 private:
  void take_signal();

  async::Loop& loop_;
  CrawlArguments arguments_;
  const bool has_progress_;
  base::Random random_;
  wire::CookieJar cookies_;
  crawl::World world_;
  crawl::MemoryFrontier frontier_;
  crawl::Engine engine_;
  bool is_interrupted_ = false;
};

async::Task<Result<crawl::EndReason>> CheckSession::run() {
  auto signals = async::SignalWatch::make(loop_, {SIGINT, SIGTERM}, [this](int) { take_signal(); });
  if (!signals) co_return fail(std::move(signals).error());
  load_cookies(arguments_.cookies_to_load, cookies_);
  load_cookies(arguments_.cookie_jar, cookies_);
  for (wire::Cookie& cookie : arguments_.session) cookies_.put(std::move(cookie), wall_now());

  async::Scope watchers(async::OnFailure::keep_going);
  std::unique_ptr<ProgressDisplay> display;
  if (has_progress_) {
    display = std::make_unique<ProgressDisplay>(arguments_.output.command, [this] {
      CrawlProgress progress = progress_of(engine_, frontier_);
      progress.since_start = loop_.now() - engine_.started();
      // Images and the like are not read on purpose.
      const auto unwanted = progress.errors.find(crawl::kUnwantedType);
      if (unwanted != progress.errors.end()) progress.errors.erase(unwanted);
      return progress;
    });
    display->take_log();
    watchers.spawn(display->run());
  }
  auto end = co_await engine_.run();
  watchers.cancel();
  static_cast<void>(co_await watchers.join());
  if (display) display->hide();
  if (auto saved = save_cookies(arguments_.cookie_jar, cookies_); !saved) {
    co_return fail(std::move(saved).error());
  }
  co_return end;
}

void CheckSession::take_signal() {
  if (std::exchange(is_interrupted_, true)) return engine_.abort();
  engine_.stop(crawl::EndReason::interrupted);
}

// BORROWS: all but the links.
async::Task<Result<WebCheck>> check_with(async::Loop& loop, WebAccess& web, async::Scope& lookups,
                                         CheckArguments& arguments,
                                         std::vector<std::string> web_links, check::Ledger& ledger,
                                         check::AnswerCache& cache) {
  if (co_await log_in_first(web.client(), arguments.crawl)) {
    co_return fail(Errc::unavailable, "could not log in");
  }
  const bool has_roots = !arguments.crawl.crawl.roots.empty();
  check::PageChecker checker(arguments.options, ledger, cache);
  checker.set_up(arguments.crawl.crawl);
  arguments.crawl.crawl.leaves = std::move(web_links);
  CheckSession session(loop, web, lookups, checker, std::move(arguments.crawl),
                       arguments.has_progress);
  auto end = co_await session.run();
  if (!end) co_return fail(std::move(end).error());
  co_return WebCheck{.end = *end,
                     .from_cache = checker.from_cache(),
                     .has_included_page = !has_roots || checker.has_included_page()};
}

}  // namespace

async::Task<Result<WebCheck>> run_check_session(async::Loop& loop, CheckArguments& arguments,
                                                std::vector<std::string> web_links,
                                                check::Ledger& ledger, check::AnswerCache& cache) {
  async::Scope lookups(async::OnFailure::keep_going);
  auto web = co_await WebAccess::open(loop, lookups, arguments.crawl.web);
  if (!web) co_return fail(std::move(web).error());
  auto outcome =
      co_await check_with(loop, **web, lookups, arguments, std::move(web_links), ledger, cache);
  (*web)->client().close_idle();
  lookups.cancel();
  static_cast<void>(co_await lookups.join());
  co_return outcome;
}

}  // namespace gossamer::cli
