#include "tests/support/browser_model.h"

#include <algorithm>
#include <array>
#include <map>
#include <utility>

#include "async/event.h"
#include "async/loop.h"
#include "async/sleep.h"
#include "base/json.h"
#include "base/json_value.h"
#include "render/base64.h"
#include "render/message.h"

namespace gossamer::support {
namespace {

using base::JsonLine;
using base::JsonValue;

constexpr std::size_t kCommandBytesMax = std::size_t{64} * 1024 * 1024;

}  // namespace

// One browser. Its pages have the names T1, T2, ..., and their sessions S1, S2, ...
class BrowserModel::Pipe final : public render::BrowserPipe {
 public:
  explicit Pipe(BrowserModel& model) : model_(model), splitter_(kCommandBytesMax) {
    model_.running_max = std::max(model_.running_max, ++model_.running);
  }
  ~Pipe() override {
    --model_.running;
    model_.tabs -= pages_.size();
  }

  async::Task<Result<std::string>> receive() override {
    while (outgoing_.empty() && !has_ended_) {
      if (auto woken = co_await has_news_.wait(); !woken) co_return fail(std::move(woken).error());
      has_news_.clear();
    }
    co_return std::exchange(outgoing_, {});
  }

  async::Task<Result<void>> send(std::string bytes) override {
    if (has_ended_) co_return fail(Errc::peer_closed);
    if (auto fed = splitter_.feed(as_bytes(bytes)); !fed) co_return fed;
    while (const auto text = splitter_.next()) {
      auto command = base::parse_json(*text);
      if (!command) co_return fail(std::move(command).error());
      execute(*command);
    }
    co_return co_await async::yield_now();
  }

  render::Isolation isolation() const override { return render::Isolation::sealed; }
  std::string last_words() override { return {}; }
  std::uint64_t memory_bytes() override { return model_.bytes_per_page * pages_had_; }

 private:
  struct Page {
    std::string target;
    std::string context;
    std::string url;
    std::string html;
    std::vector<std::string> links;
    std::vector<std::string> links_below;
    std::vector<std::string> shadow_links;
    std::size_t parts_left = 0;
    std::uint64_t navigation = 0;  // the command
    bool is_loaded = false;
    bool has_nofollow = false;
    bool leads_away = false;
    bool hangs = false;
    std::string unparsed;  // what follows a loop
  };

  void execute(const JsonValue& command);
  void execute_for_browser(std::uint64_t id, std::string_view method, const JsonValue& parameters);
  void execute_for_page(std::uint64_t id, std::string_view method, const JsonValue& parameters,
                        const std::string& session);
  void evaluate(std::uint64_t id, const JsonValue& parameters, const std::string& session);
  void receive_part(const JsonValue& parameters, const std::string& session);
  void follow(std::string_view text, const std::string& session, bool is_html);
  void request_part(std::string_view url, const std::string& session);
  void request(std::string_view url, std::string_view kind, const std::string& session);

  void reply(std::uint64_t id, const std::string& result, const std::string& session = {});
  void event(std::string_view method, const std::string& parameters, const std::string& session);
  void say(std::string message);
  void end() {
    has_ended_ = true;
    has_news_.set();
  }

  BrowserModel& model_;
  render::MessageSplitter splitter_;
  std::map<std::string, Page> pages_;            // by session
  std::map<std::string, std::string> requests_;  // paused ones, with their kind
  std::size_t last_name_ = 0;
  std::size_t pages_had_ = 0;
  std::string outgoing_;
  async::Event has_news_;
  std::vector<async::TimerHandle> timers_;
  Instant last_message_at_ = {};
  bool is_silent_ = false;
  bool has_ended_ = false;
};

void BrowserModel::Pipe::say(std::string message) {
  const BrowserHabits& habits = model_.habits_;
  if (model_.random_.chance(habits.falls_silent)) is_silent_ = true;
  if (is_silent_) return;
  if (model_.random_.chance(habits.dies)) return end();
  if (model_.random_.chance(habits.says_nonsense)) message = R"({"id":"no","method":)";
  message.push_back('\0');
  async::Loop& loop = async::Loop::current();
  const auto most = static_cast<std::uint64_t>(habits.delay_max / 1ms);
  const Duration delay = std::chrono::milliseconds(model_.random_.below(most + 1));
  // A pipe keeps the order.
  last_message_at_ = std::max(last_message_at_, loop.now() + delay);
  const int times = model_.random_.chance(habits.repeats) ? 2 : 1;
  timers_.push_back(loop.call_at(last_message_at_, [this, times, text = std::move(message)] {
    for (int i = 0; i < times; ++i) outgoing_ += text;
    has_news_.set();
  }));
}

void BrowserModel::Pipe::reply(std::uint64_t id, const std::string& result,
                               const std::string& session) {
  if (model_.random_.chance(model_.habits_.forgets)) return;
  JsonLine line;
  line.number("id", id).raw("result", result);
  if (!session.empty()) line.text("sessionId", session);
  say(line.finish());
}

void BrowserModel::Pipe::event(std::string_view method, const std::string& parameters,
                               const std::string& session) {
  JsonLine line;
  line.text("method", method).raw("params", parameters);
  if (!session.empty()) line.text("sessionId", session);
  say(line.finish());
}

void BrowserModel::Pipe::execute(const JsonValue& command) {
  const JsonValue* parameters = command.find("params");
  const std::uint64_t id = command.find("id")->as_number().value();
  const std::string session(command.text_of("sessionId"));
  const std::string_view method = command.text_of("method");
  model_.commands.emplace_back(method);
  if (session.empty()) {
    execute_for_browser(id, method, *parameters);
  } else if (pages_.contains(session)) {
    execute_for_page(id, method, *parameters, session);
  }
}

void BrowserModel::Pipe::execute_for_browser(std::uint64_t id, std::string_view method,
                                             const JsonValue& parameters) {
  const std::string name = std::to_string(++last_name_);
  if (method == "Browser.getVersion") return reply(id, R"({"product":"Model/1"})");
  if (method == "Target.createBrowserContext") {
    return reply(id, JsonLine().text("browserContextId", "C" + name).finish());
  }
  if (method == "Target.createTarget") {
    pages_["S" + name] = {.target = "T" + name,
                          .context = std::string(parameters.text_of("browserContextId"))};
    ++model_.tabs;
    const std::string target =
        JsonLine().text("targetId", "T" + name).text("type", "page").finish();
    event("Target.attachedToTarget",
          JsonLine().text("sessionId", "S" + name).raw("targetInfo", target).finish(), "");
    return reply(id, JsonLine().text("targetId", "T" + name).finish());
  }
  if (method == "Target.closeTarget") {
    model_.tabs -= std::erase_if(pages_, [&](const auto& entry) {
      return entry.second.target == parameters.text_of("targetId");
    });
  }
  reply(id, "{}");
}

void BrowserModel::Pipe::execute_for_page(std::uint64_t id, std::string_view method,
                                          const JsonValue& parameters, const std::string& session) {
  Page& page = pages_[session];
  if (method == "Page.navigate") {
    const bool is_led_away = page.leads_away;
    if (parameters.text_of("url") != "about:blank") ++pages_had_;
    page = {.target = page.target,
            .context = page.context,
            .url = std::string(parameters.text_of("url")),
            .navigation = id};
    if (is_led_away && page.url != "about:blank") {
      return reply(id, R"({"errorText":"net::ERR_ABORTED"})", session);
    }
    page.leads_away = is_led_away;
    if (page.url == "about:blank") return reply(id, "{}", session);
    return request(page.url, "Document", session);
  }
  if (method == "Runtime.evaluate") return evaluate(id, parameters, session);
  if (method == "Runtime.terminateExecution") {
    page.hangs = false;
    follow(std::exchange(page.unparsed, {}), session, true);
  }
  if (method == "Page.createIsolatedWorld") {
    if (!page.unparsed.empty()) return;
    return reply(id, R"({"executionContextId":7})", session);
  }
  reply(id, "{}", session);
  if (method == "Fetch.fulfillRequest" || method == "Fetch.failRequest") {
    receive_part(parameters, session);
  }
}

void BrowserModel::Pipe::request(std::string_view url, std::string_view kind,
                                 const std::string& session) {
  const std::string id = "R" + std::to_string(++last_name_);
  requests_[id] = kind;
  const std::string request =
      JsonLine().text("url", url).text("method", "GET").raw("headers", "{}").finish();
  event("Fetch.requestPaused",
        JsonLine()
            .text("requestId", id)
            .text("frameId", pages_[session].target)
            .text("resourceType", kind)
            .raw("request", request)
            .finish(),
        session);
}

void BrowserModel::Pipe::receive_part(const JsonValue& parameters, const std::string& session) {
  Page& page = pages_[session];
  const auto found = requests_.extract(std::string(parameters.text_of("requestId")));
  if (found.empty()) return;
  const bool is_document = found.mapped() == "Document";
  if (is_document) {
    ++model_.pages;
    reply(std::exchange(page.navigation, 0), "{}", session);
    if (model_.lures) {
      for (const std::string& lure : model_.lures(page.url)) request_part(lure, session);
    }
  } else {
    --page.parts_left;
  }
  const auto body = render::from_base64(parameters.text_of("body"));
  follow(body ? *body : std::string(), session, is_document);
  if (page.parts_left == 0) page.is_loaded = true;
}

void BrowserModel::Pipe::follow(std::string_view text, const std::string& session, bool is_html) {
  Page& page = pages_[session];
  while (!text.empty()) {
    const std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(text.size(), line.size() + 1));
    const std::string_view word = line.substr(0, line.find(' '));
    const std::string_view rest = line.substr(std::min(line.size(), word.size() + 1));
    if (word == "link") page.links.emplace_back(rest);
    if (word == "shadow") page.shadow_links.emplace_back(rest);
    if (word == "below") page.links_below.emplace_back(rest);
    if (word == "route") {
      event("Page.navigatedWithinDocument",
            JsonLine().text("frameId", page.target).text("url", rest).finish(), session);
    }
    if (word == "nofollow") page.has_nofollow = true;
    if (word == "leave") page.leads_away = true;
    if (word == "hang" || word == "loop") page.hangs = true;
    if (word == "loop") {
      page.unparsed = text;
      return;
    }
    if (word == "crash") event("Inspector.targetCrashed", "{}", session);
    if (word == "part") request_part(rest, session);
    constexpr std::array kWords = {std::string_view("link"),     std::string_view("below"),
                                   std::string_view("nofollow"), std::string_view("hang"),
                                   std::string_view("crash"),    std::string_view("part")};
    if (is_html && std::ranges::find(kWords, word) == kWords.end()) {
      page.html.append(line).push_back('\n');
    }
  }
}

void BrowserModel::Pipe::request_part(std::string_view url, const std::string& session) {
  ++pages_[session].parts_left;
  request(url, "Script", session);
}

void BrowserModel::Pipe::evaluate(std::uint64_t id, const JsonValue& parameters,
                                  const std::string& session) {
  Page& page = pages_[session];
  if (page.hangs) return;
  JsonLine line;
  const std::string_view script = parameters.text_of("expression");
  if (script.contains("scrollTo")) {
    for (std::string& link : page.links_below) page.links.push_back(std::move(link));
    page.links_below.clear();
  } else if (script.contains("readyState")) {
    line.boolean("complete", page.is_loaded).number("links", page.links.size());
    line.number("elements", page.links.size() + 3);
  } else {
    std::string links;
    std::string html = page.html;
    if (page.has_nofollow) html += "<meta name=robots content=nofollow>";
    for (const std::string& link : page.links) {
      if (!links.empty()) links += ',';
      base::append_json_string(links, link);
      html += "<a href=\"" + link + "\"></a>";
    }
    for (const std::string& link : page.shadow_links) {
      html += "<template shadowrootmode=\"open\"><a href=\"" + link + "\"></a></template>";
    }
    line.text("url", page.url).text("html", html).raw("links", "[" + links + "]");
  }
  constexpr std::array kLies = {"", "nothing", "[]", "{}", R"({"html": 7, "links": {}})"};
  const std::string said = model_.random_.chance(model_.habits_.lies)
                               ? kLies[model_.random_.below(kLies.size())]
                               : line.finish();
  const std::string value = JsonLine().text("type", "string").text("value", said).finish();
  reply(id, JsonLine().raw("result", value).finish(), session);
}

Result<void> BrowserModel::check() {
  if (!is_installed) return fail(Errc::not_found, "no browser is installed");
  return {};
}

async::Task<Result<std::unique_ptr<render::BrowserPipe>>> BrowserModel::launch(
    render::LaunchOptions) {
  if (auto checked = check(); !checked) co_return fail(std::move(checked).error());
  if (auto slept = co_await async::sleep(start_time); !slept) {
    co_return fail(std::move(slept).error());
  }
  ++launched;
  co_return std::make_unique<Pipe>(*this);
}

}  // namespace gossamer::support
