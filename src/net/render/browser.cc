#include "render/browser.h"

#include <utility>

#include "base/time.h"
#include "render/protocol.h"

namespace gossamer::render {
namespace {

// The first start after an installation reads 200 MB from the disk.
constexpr Duration kStartTimeMax = 30s;
constexpr Duration kOpenTimeMax = 10s;

}  // namespace

Browser::Browser(std::shared_ptr<Connection> connection) : connection_(std::move(connection)) {
  connection_->add_sink("", *this);
}

Browser::~Browser() {
  connection_->remove_sink("");
  connection_->end(Error(Errc::closed, "the browser was closed"));
}

async::Task<Result<std::unique_ptr<Browser>>> Browser::start(BrowserLauncher& launcher,
                                                             async::Scope& scope,
                                                             LaunchOptions options) {
  auto pipe = co_await launcher.launch(std::move(options));
  if (!pipe) co_return fail(std::move(pipe).error());
  std::unique_ptr<Browser> browser(new Browser(Connection::start(std::move(*pipe), scope)));
  if (auto prepared = co_await browser->prepare(); !prepared) {
    co_return fail(std::move(prepared).error(), "while starting the browser");
  }
  co_return browser;
}

async::Task<Result<void>> Browser::prepare() {
  auto version = co_await connection_->call("", browser_version(), kStartTimeMax);
  if (!version) co_return fail(std::move(version).error());
  auto attached = co_await connection_->call("", attach_to_all(), kStartTimeMax);
  if (!attached) co_return fail(std::move(attached).error());
  co_return {};
}

// What a page opens has no requests of its own that would be seen: it ends before it begins.
void Browser::on_event(std::string_view method, const base::JsonValue& parameters) {
  if (method != "Target.attachedToTarget") return;
  const AttachedTarget attached = parse_attached_target(parameters);
  // The user's own pages are none of our business.
  const bool is_ours = isolation() != Isolation::none || contexts_.contains(attached.context);
  if (!is_ours) return connection_->send("", detach_from(attached.session));
  if (attached.kind == "page" && !attached.has_opener) {
    new_pages_[attached.target] = attached.session;
  } else {
    connection_->send("", close_target(attached.target));
  }
}

async::Task<Result<std::unique_ptr<Tab>>> Browser::open_tab() {
  auto context = co_await connection_->call("", create_context(), kOpenTimeMax);
  if (!context) co_return fail(std::move(context).error());
  const std::string context_id(context->text_of("browserContextId"));
  contexts_.insert(context_id);
  auto denied = co_await connection_->call("", deny_downloads(context_id), kOpenTimeMax);
  if (!denied) co_return fail(std::move(denied).error());
  auto created = co_await connection_->call("", create_target(context_id), kOpenTimeMax);
  if (!created) co_return fail(std::move(created).error());
  std::string target(created->text_of("targetId"));
  const auto session = new_pages_.extract(target);
  if (session.empty()) co_return fail(Errc::malformed, "the browser opened no page");
  std::unique_ptr<Tab> tab(
      new Tab(connection_, {context_id, std::move(target), std::move(session.mapped())}));
  if (auto prepared = co_await tab->prepare(); !prepared) {
    co_return fail(std::move(prepared).error(), "while opening a page of the browser");
  }
  co_return tab;
}

}  // namespace gossamer::render
