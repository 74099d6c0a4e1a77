#include "render/tab.h"

#include <algorithm>
#include <array>
#include <utility>

#include "async/cleanup.h"
#include "async/loop.h"
#include "async/scope.h"
#include "async/semaphore.h"
#include "async/sleep.h"
#include "base/number.h"
#include "render/base64.h"
#include "render/part_rules.h"
#include "url/url.h"

namespace gossamer::render {
namespace {

constexpr Duration kPrepareTimeMax = 10s;  // a new tab is a process, which a busy machine starts
constexpr std::size_t kProblemsMax = 20;
constexpr std::size_t kProblemBytesMax = 500;
constexpr std::size_t kRoutesMax = 1000;
constexpr std::uint32_t kScrollsMax = 100;           // BOUND: each has two seconds more
constexpr std::uint64_t kPictureHeightMax = 16'384;  // what a browser can draw

// The browser would keep the last 100 MB of answers, for debuggers.
Command watch_network() {
  return {"Network.enable", R"({"maxTotalBufferSize":0,"maxResourceBufferSize":0})"};
}

// Of all pages of its context.
Command clear_cookies() { return {"Network.clearBrowserCookies"}; }

std::string_view without_fragment(std::string_view url) { return url.substr(0, url.find('#')); }

// The browser may spell a URL in another way.
bool is_same_page(std::string_view theirs, std::string_view ours) {
  const auto url = url::Url::parse(theirs);
  return url && without_fragment(url->href()) == without_fragment(ours);
}

// Returns a size in pixels, which may have a fraction.
std::uint64_t pixels(const base::JsonValue& size, std::string_view name) {
  const std::string_view text = size.text_of(name);
  std::uint64_t number = 0;
  return base::parse_number(text.substr(0, text.find('.')), number) ? number : 0;
}

}  // namespace

struct Tab::Rendering {
  Rendering(Document what, Parts& answers, RenderOptions how)
      : document(std::move(what)),
        parts(answers),
        options(how),
        started(async::Loop::current().now()),
        readiness(how.readiness, started),
        in_flight(how.parts_in_flight_max) {}

  Instant now() const { return async::Loop::current().now(); }
  // The time for a command before the page is read in any case.
  Duration time_left(Duration most) const {
    return std::clamp(readiness.deadline() - now(), Duration(1ms), most);
  }
  // The page itself is no route, and each route counts once.
  void add_route(std::string_view url) {
    if (result.routes.size() == kRoutesMax ||
        without_fragment(url) == without_fragment(document.url)) {
      return;
    }
    if (std::ranges::find(result.routes, url) == result.routes.end())
      result.routes.emplace_back(url);
  }
  bool has_pictures() const { return options.picture != Picture::none || options.has_pdf; }

  const Document document;
  Parts& parts;
  const RenderOptions options;
  const Instant started;
  Readiness readiness;
  async::Semaphore in_flight;
  async::Scope requests{async::OnFailure::keep_going};
  bool has_document = false;  // it was requested
  bool is_stuck = false;      // a script keeps others from running
  Rendered result;
};

Tab::Tab(std::shared_ptr<Connection> connection, Names names)
    : connection_(std::move(connection)), names_(std::move(names)) {
  connection_->add_sink(names_.session, *this);
}

Tab::~Tab() {
  connection_->remove_sink(names_.session);
  connection_->send("", close_target(names_.target));
  connection_->send("", dispose_context(names_.context));
}

async::Task<Result<base::JsonValue>> Tab::call(Command command, Duration time_max) {
  return connection_->call(names_.session, std::move(command), time_max);
}

async::Task<Result<void>> Tab::prepare() {
  const std::array commands = {enable("Page"),  enable("Runtime"),        enable("Log"),
                               watch_network(), bypass_service_workers(), intercept_requests(),
                               run_if_waiting()};
  for (const Command& command : commands) {
    auto done = co_await call(command, kPrepareTimeMax);
    if (!done) co_return fail(std::move(done).error());
  }
  co_return {};
}

void Tab::on_event(std::string_view method, const base::JsonValue& parameters) {
  if (method == "Fetch.requestPaused") return on_paused(parameters);
  if (method == "Page.javascriptDialogOpening") {
    const bool leaves_page = parameters.text_of("type") == "beforeunload";
    return connection_->send(names_.session, dismiss_dialog(leaves_page));
  }
  if (method == "Inspector.targetCrashed") {
    return connection_->end_session(names_.session, Error(Errc::peer_closed, "the page crashed"));
  }
  // What the document before does is not of interest.
  if (rendering_ == nullptr || !rendering_->has_document) return;
  if (method == "Page.windowOpen") return rendering_->add_route(parameters.text_of("url"));
  if (method == "Page.navigatedWithinDocument") {
    if (parameters.text_of("frameId") != names_.target) return;
    return rendering_->add_route(parameters.text_of("url"));
  }
  std::vector<std::string>& problems = rendering_->result.problems;
  if (problems.size() == kProblemsMax) return;
  std::string problem = problem_of(method, parameters);
  if (!problem.empty()) problems.push_back(problem.substr(0, kProblemBytesMax));
}

void Tab::on_paused(const base::JsonValue& parameters) {
  auto paused = parse_paused_request(parameters);
  if (!paused) return connection_->end(std::move(paused).error());
  const auto refuse = [&](FailReason reason) {
    connection_->send(names_.session, fail_request(paused->id, reason));
  };
  if (rendering_ == nullptr) return refuse(FailReason::aborted);
  Rendering& rendering = *rendering_;
  if (paused->kind == "Document" && paused->frame == names_.target) {
    const bool is_early = !rendering.has_document;  // perhaps by the page before
    if (is_early && !is_same_page(paused->url, rendering.document.url)) {
      return refuse(FailReason::aborted);
    }
    if (std::exchange(rendering.has_document, true)) {
      rendering.add_route(paused->url);  // a script leads elsewhere; this page is what is read
      return refuse(FailReason::aborted);
    }
    const std::vector<http::Field> fields = document_fields(rendering.document.answer.fields);
    return connection_->send(names_.session,
                             fulfill_request(paused->id, {rendering.document.answer.status, &fields,
                                                          rendering.document.answer.body}));
  }
  if (!rendering.has_document) return refuse(FailReason::aborted);
  const bool is_wanted = is_wanted_part(
      *paused, {.images = rendering.options.loads_images, .fonts = rendering.has_pictures()});
  ++rendering.result.parts;
  if (!is_wanted || rendering.result.parts > rendering.options.parts_max) {
    ++rendering.result.parts_refused;
    return refuse(FailReason::blocked);
  }
  rendering.readiness.note_request(rendering.now());
  rendering.requests.spawn(answer(rendering, std::move(*paused)));
}

async::Task<void> Tab::answer(Rendering& rendering, PausedRequest paused) {
  const RenderOptions& options = rendering.options;
  const std::string id = paused.id;
  auto request = request_of(std::move(paused));
  auto permit = co_await rendering.in_flight.acquire();
  if (!permit) co_return;
  Result<PartAnswer> part = fail(Errc::invalid_argument);
  if (request) part = co_await rendering.parts.fetch(std::move(*request));
  const std::uint64_t bytes_left = options.bytes_max - rendering.result.bytes;
  if (part && part->body.size() > std::min<std::uint64_t>(options.part_bytes_max, bytes_left)) {
    part = fail(Errc::over_limit);
  }
  rendering.readiness.note_request(rendering.now());
  if (!part) {
    ++rendering.result.parts_refused;
    static_cast<void>(
        co_await call(fail_request(id, FailReason::failed), options.command_time_max));
    co_return;
  }
  rendering.result.bytes += part->body.size();
  const std::vector<http::Field> fields = part_fields(part->fields);
  static_cast<void>(co_await call(fulfill_request(id, {part->status, &fields, part->body}),
                                  options.command_time_max));
}

async::Task<Result<Rendered>> Tab::render(Document document, Parts& parts, RenderOptions options) {
  Rendering rendering(std::move(document), parts, options);
  rendering_ = &rendering;
  auto done = co_await async::with_cleanup(load_and_read(rendering), stop(rendering));
  if (!done) co_return fail(std::move(done).error(), "while rendering " + rendering.document.url);
  rendering.result.took = rendering.now() - rendering.started;
  co_return std::move(rendering.result);
}

async::Task<void> Tab::stop(Rendering& rendering) {
  rendering_ = nullptr;
  rendering.requests.cancel();
  static_cast<void>(co_await rendering.requests.join());
  // Ends its scripts. The cookies of the crawl may change before the next page, and those of the
  // browser would win.
  connection_->send(names_.session, navigate("about:blank"));
  connection_->send(names_.session, clear_cookies());
}

async::Task<Result<void>> Tab::load_and_read(Rendering& rendering) {
  auto world = co_await load(rendering);
  if (!world) co_return fail(std::move(world).error());
  if (auto waited = co_await wait_until_ready(rendering, *world); !waited) co_return waited;
  if (auto done = co_await scroll(rendering, *world); !done) co_return done;
  if (auto done = co_await read(rendering, *world); !done) co_return done;
  co_return co_await draw(rendering);
}

async::Task<Result<std::uint64_t>> Tab::load(Rendering& rendering) {
  const Duration time_max = rendering.options.readiness.time_max;
  auto loaded = co_await call(navigate(rendering.document.url), time_max);
  if (!loaded) co_return fail(std::move(loaded).error());
  if (const std::string_view why = loaded->text_of("errorText"); !why.empty()) {
    co_return fail(Errc::unsupported, "the browser does not show this page: " + std::string(why));
  }
  co_return co_await make_world(rendering);
}

async::Task<Result<std::uint64_t>> Tab::make_world(Rendering& rendering) {
  const Duration time_max = rendering.options.command_time_max;
  auto made = co_await call(isolated_world(names_.target), rendering.time_left(time_max));
  if (!made && made.error() == Errc::timed_out) {
    // A script keeps the page from being parsed. The rest of the page may be good.
    auto ended = co_await call(terminate_execution(), time_max);
    if (!ended) co_return fail(std::move(ended).error());
    made = co_await call(isolated_world(names_.target), time_max);
  }
  if (!made) co_return fail(std::move(made).error());
  const base::JsonValue* world = made->find("executionContextId");
  const auto number = world == nullptr ? std::nullopt : world->as_number();
  if (!number) co_return fail(Errc::malformed, "the browser made no world for scripts");
  co_return *number;
}

async::Task<Result<void>> Tab::wait_until_ready(Rendering& rendering, std::uint64_t world) {
  for (;;) {
    auto text = co_await evaluate(look_script(rendering.options.readiness.selector), world,
                                  rendering.time_left(rendering.options.command_time_max));
    if (!text && text.error() != Errc::timed_out) co_return fail(std::move(text).error());
    rendering.is_stuck = !text;
    if (!text && rendering.now() >= rendering.readiness.deadline()) break;
    const auto look = text ? parse_look(*text) : Look();
    if (!look) co_return fail(look.error().copy());
    if (rendering.readiness.is_ready(*look, rendering.requests.size(), rendering.now())) break;
    auto slept = co_await async::sleep(rendering.time_left(rendering.options.readiness.interval));
    if (!slept) co_return slept;
  }
  rendering.result.is_unready = rendering.now() >= rendering.readiness.deadline();
  co_return {};
}

async::Task<Result<void>> Tab::scroll(Rendering& rendering, std::uint64_t world) {
  for (std::uint32_t count = 0; count < std::min(rendering.options.scrolls, kScrollsMax); ++count) {
    if (rendering.is_stuck || rendering.now() >= rendering.readiness.deadline()) break;
    auto done = co_await evaluate(scroll_script(), world,
                                  rendering.time_left(rendering.options.command_time_max));
    if (!done && done.error() != Errc::timed_out) co_return fail(std::move(done).error());
    rendering.readiness.begin_again(rendering.now());
    if (auto waited = co_await wait_until_ready(rendering, world); !waited) co_return waited;
  }
  co_return {};
}

async::Task<Result<void>> Tab::read(Rendering& rendering, std::uint64_t world) {
  const Duration time_max = rendering.options.command_time_max;
  const std::string script = content_script(rendering.options.html_bytes_max);
  if (rendering.is_stuck) {
    auto ended = co_await call(terminate_execution(), time_max);
    if (!ended) co_return fail(std::move(ended).error());
  }
  auto text = co_await evaluate(script, world, time_max);
  if (!text) co_return fail(std::move(text).error());
  auto content = parse_content(*text);
  if (!content) co_return fail(std::move(content).error());
  rendering.result.content = std::move(*content);
  co_return {};
}

async::Task<Result<void>> Tab::draw(Rendering& rendering) {
  const RenderOptions& options = rendering.options;
  if (options.picture != Picture::none) {
    auto measured = co_await call(measure_page(), options.command_time_max);
    if (!measured) co_return fail(std::move(measured).error());
    std::optional<PageSize> size;
    if (const base::JsonValue* page = measured->find("cssContentSize")) {
      size = {.width = std::max<std::uint64_t>(pixels(*page, "width"), 1),
              .height = std::clamp<std::uint64_t>(pixels(*page, "height"), 1, kPictureHeightMax)};
    }
    auto drawn = co_await call(screenshot(size), options.drawing_time_max);
    if (!drawn) co_return fail(std::move(drawn).error());
    auto png = from_base64(drawn->text_of("data"));
    if (!png) co_return fail(std::move(png).error());
    rendering.result.png = std::move(*png);
  }
  if (!options.has_pdf) co_return {};
  auto printed = co_await call(print_to_pdf(), options.drawing_time_max);
  if (!printed) co_return fail(std::move(printed).error());
  auto pdf = from_base64(printed->text_of("data"));
  if (!pdf) co_return fail(std::move(pdf).error());
  rendering.result.pdf = std::move(*pdf);
  co_return {};
}

async::Task<Result<std::string>> Tab::evaluate(std::string script, std::uint64_t world,
                                               Duration time_max) {
  auto result = co_await call(render::evaluate(script, world, time_max), time_max);
  if (!result) co_return fail(std::move(result).error());
  co_return text_result(std::move(*result));
}

}  // namespace gossamer::render
