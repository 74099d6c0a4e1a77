#include "render/renderer.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "url/url.h"

namespace gossamer::render {
namespace {

constexpr Duration kBetweenMeasurements = 1s;

// Returns whether another browser may succeed: this one crashed, fell silent, or said nonsense.
bool is_worth_another_browser(const Error& error) {
  return error == Errc::peer_closed || error == Errc::timed_out || error == Errc::malformed ||
         error == Errc::over_limit || error == Errc::closed;
}

std::string origin_of(const Document& document) {
  const auto url = url::Url::parse(document.url);
  return url ? std::string(url->origin()) : std::string();
}

}  // namespace

// A new tab costs as much as a page, so pages of one origin use the same tab one after the
// other. They have one storage, as for a user; pages of other origins have another.
struct Renderer::Running {
  struct Parked {
    std::string origin;
    std::unique_ptr<Tab> tab;
  };

  // Returns a tab that had pages of this origin only; nullptr: there is none.
  std::unique_ptr<Tab> take_tab(std::string_view origin, std::size_t parked_max);

  std::unique_ptr<Browser> browser;
  Instant started;
  std::size_t pages = 0;
  mutable bool is_large = false;  // when it was measured
  mutable Instant measured = {};
  std::vector<Parked> parked = {};  // the longest first
};

std::unique_ptr<Tab> Renderer::Running::take_tab(std::string_view origin, std::size_t parked_max) {
  const auto found = std::ranges::find(parked, origin, &Parked::origin);
  if (found != parked.end()) {
    std::unique_ptr<Tab> tab = std::move(found->tab);
    parked.erase(found);
    return tab;
  }
  // Those of other origins make room.
  while (parked.size() > parked_max) parked.erase(parked.begin());
  return nullptr;
}

Renderer::Renderer(BrowserLauncher& launcher, async::Scope& scope, const RendererOptions& options)
    : launcher_(launcher), scope_(scope), options_(options), pages_(options.pages_max) {}

bool Renderer::has_open_browser() const {
  return browser_ != nullptr && browser_->browser->is_open();
}

bool Renderer::is_worn(const Running& running) const {
  const Instant now = scope_.loop().now();
  // It reads files of each process of the browser.
  if (now - running.measured >= kBetweenMeasurements) {
    running.measured = now;
    running.is_large = running.browser->memory_bytes() >= options_.browser_bytes_max;
  }
  return running.is_large || running.pages >= options_.pages_per_browser_max ||
         now - running.started >= options_.browser_time_max;
}

bool Renderer::may_start() const {
  return failed_starts_ < options_.failed_starts_max || scope_.loop().now() >= next_start_;
}

async::Task<Result<std::shared_ptr<Renderer::Running>>> Renderer::current_browser() {
  for (;;) {
    if (has_open_browser()) {
      const bool is_due = !is_replacing_ && is_worn(*browser_) && may_start();
      if (is_due) co_return co_await replace_browser();
      co_return browser_;
    }
    auto lock = co_await starting_.lock();
    if (!lock) co_return fail(std::move(lock).error());
    if (has_open_browser()) continue;
    if (!may_start()) co_return fail(start_failure_->copy());
    co_return co_await start_browser();
  }
}

// One page waits for the new browser. The others use the old one, which is better than none.
async::Task<Result<std::shared_ptr<Renderer::Running>>> Renderer::replace_browser() {
  is_replacing_ = true;
  auto started = co_await start_browser();
  is_replacing_ = false;
  const bool has_old = !started && started.error() != Errc::cancelled && has_open_browser();
  if (has_old) co_return browser_;
  co_return started;
}

async::Task<Result<std::shared_ptr<Renderer::Running>>> Renderer::start_browser() {
  auto browser = co_await Browser::start(launcher_, scope_, options_.launch);
  if (!browser) {
    if (browser.error() != Errc::cancelled) {
      ++failed_starts_;
      next_start_ = scope_.loop().now() + options_.pause_after_failed_starts;
      start_failure_ = browser.error().copy();
    }
    co_return fail(std::move(browser).error());
  }
  failed_starts_ = 0;
  ++browsers_started_;
  isolation_ = (*browser)->isolation();
  browser_ = std::make_shared<Running>(std::move(*browser), scope_.loop().now());
  co_return browser_;
}

async::Task<Result<Rendered>> Renderer::render_with(std::shared_ptr<Running> running,
                                                    const Document& document, Parts& parts,
                                                    const RenderOptions& options) {
  ++running->pages;
  std::string origin = origin_of(document);
  std::unique_ptr<Tab> tab = running->take_tab(origin, options_.pages_max - in_use_);
  Result<Rendered> rendered = fail(Errc::unsupported);
  if (tab != nullptr) rendered = co_await tab->render(document, parts, options);
  // There was no tab, or a script of the page before led it elsewhere at the last moment.
  if (!rendered && rendered.error() == Errc::unsupported) {
    auto opened = co_await running->browser->open_tab();
    if (opened) {
      tab = std::move(*opened);
      rendered = co_await tab->render(document, parts, options);
    } else {
      rendered = fail(std::move(opened).error());
    }
  }
  // A script that did not end would keep the next page from loading.
  const bool is_usable = rendered && !rendered->is_unready;
  if (is_usable) running->parked.push_back({std::move(origin), std::move(tab)});
  const bool is_spent = !rendered && is_worth_another_browser(rendered.error());
  if (is_spent && browser_ == running) browser_.reset();
  co_return rendered;
}

async::Task<Result<Rendered>> Renderer::render_with_retry(const Document& document, Parts& parts,
                                                          const RenderOptions& options) {
  auto running = co_await current_browser();
  if (!running) co_return fail(std::move(running).error());
  auto rendered = co_await render_with(std::move(*running), document, parts, options);
  if (rendered || !is_worth_another_browser(rendered.error())) co_return rendered;
  running = co_await current_browser();
  if (!running) co_return fail(std::move(running).error());
  co_return co_await render_with(std::move(*running), document, parts, options);
}

async::Task<Result<Rendered>> Renderer::render(Document document, Parts& parts,
                                               RenderOptions options) {
  auto permit = co_await pages_.acquire();
  if (!permit) co_return fail(std::move(permit).error());
  idle_.cancel();
  ++in_use_;
  auto rendered = co_await render_with_retry(document, parts, options);
  if (--in_use_ == 0) begin_idle();
  co_return rendered;
}

void Renderer::begin_idle() {
  idle_ = scope_.loop().call_later(options_.idle_max, [this] { browser_.reset(); });
}

}  // namespace gossamer::render
