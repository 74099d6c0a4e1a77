#include "run/control/control_protocol.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

#include "base/edit_distance.h"
#include "base/json.h"
#include "base/json_value.h"
#include "base/number.h"
#include "record/outcome.h"

namespace gossamer::run {
namespace {

using RequestKind = ControlRequest::Kind;
using base::JsonValue;

// The operand of a request.
enum class Operand : std::uint8_t { none, count, number, text, rate, delay };

struct Verb {
  std::string_view name;
  RequestKind kind;
  Operand operand;
  std::string_view member;  // of the request, which holds it
};

constexpr std::array<Verb, 14> kVerbs = {{
    {"status", RequestKind::status, Operand::none, ""},
    {"fetches", RequestKind::fetches, Operand::count, "limit"},
    {"pause", RequestKind::pause, Operand::none, ""},
    {"resume", RequestKind::resume, Operand::none, ""},
    {"rate", RequestKind::rate, Operand::rate, "rate"},
    {"delay", RequestKind::delay, Operand::delay, "delay"},
    {"concurrency", RequestKind::concurrency, Operand::number, "concurrency"},
    {"add", RequestKind::add, Operand::text, "url"},
    {"block", RequestKind::block, Operand::text, "host"},
    {"unblock", RequestKind::unblock, Operand::text, "host"},
    {"exclude", RequestKind::exclude, Operand::text, "pattern"},
    {"unexclude", RequestKind::unexclude, Operand::text, "pattern"},
    {"stop", RequestKind::stop, Operand::none, ""},
    {"abort", RequestKind::abort, Operand::none, ""},
}};

constexpr std::uint32_t kFetchesUsual = 100;

// Why a host is paused.
constexpr std::string_view kSilent = "silent";
constexpr std::string_view kRefused = "refused";
constexpr std::string_view kAsked = "asked";

std::string_view reason_of(const CrawlProgress::Pause& pause) {
  if (pause.is_silent) return kSilent;
  return pause.is_refusing ? kRefused : kAsked;
}

const Verb& verb_of(RequestKind kind) { return *std::ranges::find(kVerbs, kind, &Verb::kind); }

Error wrong(const Verb& verb, std::string_view why, std::string_view text) {
  return {Errc::invalid_argument, fmt::format("{} requires {}, not '{}'", verb.name, why, text)};
}

Result<std::optional<Duration>> parse_rate(const Verb& verb, std::string_view text) {
  if (text == "none") return std::nullopt;
  std::string_view digits = text;
  double per_second = 0;
  double seconds = 1;
  if (digits.ends_with("/s")) digits.remove_suffix(2);
  if (digits.ends_with("/min")) {
    digits.remove_suffix(4);
    seconds = 60;
  }
  const char* const end = digits.data() + digits.size();
  const auto [stop, error] = std::from_chars(digits.data(), end, per_second);
  per_second /= seconds;
  if (error != std::errc() || stop != end || !(per_second >= 1e-6) || per_second > 1e9) {
    return fail(wrong(verb, "requests per second such as 5, 0.5/s or 30/min, or none", text));
  }
  return std::chrono::duration_cast<Duration>(std::chrono::duration<double>(1 / per_second));
}

Result<std::optional<Duration>> parse_delay(const Verb& verb, std::string_view text) {
  if (text == "auto") return std::nullopt;
  const bool is_bare = text.find_first_not_of("0123456789.") == std::string_view::npos;
  const auto time = base::parse_duration(is_bare ? std::string(text) + "s" : std::string(text));
  if (!time) return fail(wrong(verb, "a time such as 2s or 500ms, or auto", text));
  return *time;
}

Result<void> take_number(const Verb& verb, std::string_view text, std::uint32_t max,
                         std::uint32_t& into) {
  std::uint64_t number = 0;
  if (!base::parse_number(text, number) || number == 0 || number > max) {
    return fail(wrong(verb, fmt::format("a whole number from 1 to {}", max), text));
  }
  into = static_cast<std::uint32_t>(number);
  return {};
}

// Reads the operand after the verb; empty: there is none.
Result<ControlRequest> complete(const Verb& verb, std::string_view operand) {
  ControlRequest request = {.kind = verb.kind};
  if (operand.empty() && verb.operand != Operand::none && verb.operand != Operand::count) {
    return fail(Errc::invalid_argument, fmt::format("{} requires a {}", verb.name, verb.member));
  }
  switch (verb.operand) {
    case Operand::none: return request;
    case Operand::text: request.text = operand; return request;
    case Operand::count: {
      request.number = kFetchesUsual;
      if (operand.empty()) return request;
      if (auto taken = take_number(verb, operand, kFetchesMax, request.number); !taken) {
        return fail(std::move(taken).error());
      }
      return request;
    }
    case Operand::number: {
      if (auto taken = take_number(verb, operand, kConcurrencyMax, request.number); !taken) {
        return fail(std::move(taken).error());
      }
      return request;
    }
    case Operand::rate:
    case Operand::delay: break;
  }
  auto time =
      verb.operand == Operand::rate ? parse_rate(verb, operand) : parse_delay(verb, operand);
  if (!time) return fail(std::move(time).error());
  request.time = *time;
  return request;
}

Result<const Verb*> find_verb(std::string_view word) {
  const auto found = std::ranges::find(kVerbs, word, &Verb::name);
  if (found != kVerbs.end()) return &*found;
  std::array<std::string_view, kVerbs.size()> names;
  std::ranges::transform(kVerbs, names.begin(), &Verb::name);
  const std::string_view near = base::nearest(word, names);
  std::string problem = fmt::format("unknown request '{}'", word);
  if (!near.empty()) problem += fmt::format("; did you mean {}?", near);
  return fail(Errc::invalid_argument, std::move(problem));
}

double seconds_of(Duration time) { return std::chrono::duration<double>(time).count(); }

Duration duration_of(const JsonValue& value) {
  double seconds = 0;
  std::from_chars(value.text.data(), value.text.data() + value.text.size(), seconds);
  // Limits the number to times that a Duration can hold.
  return std::chrono::duration_cast<Duration>(
      std::chrono::duration<double>(std::clamp(seconds, 0.0, 9e9)));
}

std::uint64_t number_in(const JsonValue& object, std::string_view name) {
  const JsonValue* const value = object.find(name);
  return value == nullptr ? 0 : value->as_number().value_or(0);
}

std::optional<Duration> time_in(const JsonValue& object, std::string_view name) {
  const JsonValue* const value = object.find(name);
  if (value == nullptr || value->kind != JsonValue::Kind::number) return std::nullopt;
  return duration_of(*value);
}

void add_time(base::JsonLine& line, std::string_view name, const std::optional<Duration>& time) {
  time ? line.decimal(name, seconds_of(*time), 6) : line.null(name);
}

// The counts in the reply to `status`, in its order; `pages` comes before them.
struct Count {
  std::string_view name;
  std::uint64_t CrawlProgress::* member;
};
constexpr std::array<Count, 9> kCounts = {{
    {"wire_bytes", &CrawlProgress::wire_bytes},
    {"in_flight", &CrawlProgress::in_flight},
    {"waiting", &CrawlProgress::waiting},
    {"hosts", &CrawlProgress::hosts},
    {"connections", &CrawlProgress::connections},
    {"http2_connections", &CrawlProgress::http2_connections},
    {"streams", &CrawlProgress::streams},
    {"concurrency", &CrawlProgress::concurrency},
    {"threads", &CrawlProgress::threads},
}};

std::string array_of(const std::vector<std::string>& items) {
  return fmt::format("[{}]", fmt::join(items, ","));
}

std::string failures_json(const std::vector<CrawlProgress::Failure>& failures) {
  std::vector<std::string> items;
  for (const CrawlProgress::Failure& failure : failures) {
    items.push_back(base::JsonLine()
                        .text("url", failure.url)
                        .text("error", failure.cause)
                        .text("detail", failure.detail)
                        .text("via", failure.via)
                        .decimal("age", seconds_of(failure.age), 3)
                        .finish());
  }
  return array_of(items);
}

std::string json_of(const FetchLine& fetch) {
  std::vector<std::string> stack;
  for (const std::string& line : fetch.stack) {
    base::append_json_string(stack.emplace_back(), line);
  }
  return base::JsonLine()
      .text("url", fetch.url)
      .text("host", fetch.host)
      .text("stage", fetch.stage)
      .decimal("age", seconds_of(fetch.age), 3)
      .number("bytes", fetch.bytes)
      .number("tries", fetch.tries)
      .number("loop", fetch.loop)
      .raw("stack", array_of(stack))
      .finish();
}

FetchLine fetch_of(const JsonValue& value) {
  FetchLine fetch = {.url = std::string(value.text_of("url")),
                     .host = std::string(value.text_of("host")),
                     .stage = std::string(value.text_of("stage")),
                     .age = time_in(value, "age").value_or(Duration::zero()),
                     .bytes = number_in(value, "bytes"),
                     .tries = number_in(value, "tries"),
                     .loop = number_in(value, "loop")};
  if (const JsonValue* const stack = value.find("stack")) {
    for (const JsonValue& line : stack->items) fetch.stack.push_back(line.text);
  }
  return fetch;
}

// BOUND: who listens at the socket may be anybody.
constexpr std::size_t kReasonBytesMax = 4096;

// Returns the object of a reply that is not an error.
Result<JsonValue> open_reply(std::string_view line) {
  auto value = base::parse_json(line);
  if (!value) return fail(std::move(value).error(), "while reading a reply");
  const JsonValue* const ok = value->find("ok");
  if (ok == nullptr || ok->kind != JsonValue::Kind::boolean) {
    return fail(Errc::malformed, "this is not a reply of a crawl");
  }
  if (ok->text == "true") return value;
  return fail(Errc::denied, std::string(value->text_of("error").substr(0, kReasonBytesMax)));
}

}  // namespace

std::string_view name(ControlRequest::Kind kind) noexcept { return verb_of(kind).name; }

Result<ControlRequest> parse_control_request(std::string_view line) {
  auto value = base::parse_json(line);
  if (!value) return fail(Errc::malformed, "expected one line of JSON");
  if (value->kind != JsonValue::Kind::object || value->find("do") == nullptr) {
    return fail(Errc::malformed, "expected an object such as {\"do\":\"status\"}");
  }
  auto verb = find_verb(value->text_of("do"));
  if (!verb) return fail(std::move(verb).error());
  const JsonValue* const operand = value->find((*verb)->member);
  using JsonKind = JsonValue::Kind;
  const bool is_given = operand != nullptr && operand->kind != JsonKind::null;
  if (is_given && operand->kind != JsonKind::text && operand->kind != JsonKind::number) {
    return fail(Errc::invalid_argument, fmt::format("the {} of {} must be a text or a number",
                                                    (*verb)->member, (*verb)->name));
  }
  return complete(**verb, is_given ? std::string_view(operand->text) : std::string_view());
}

Result<ControlRequest> control_request_of(const std::vector<std::string>& words) {
  auto verb = find_verb(words.front());
  if (!verb) return fail(std::move(verb).error());
  const std::size_t words_max = (*verb)->operand == Operand::none ? 1 : 2;
  if (words.size() > words_max) {
    return fail(Errc::invalid_argument, fmt::format("unexpected argument '{}'", words[words_max]));
  }
  return complete(**verb, words.size() > 1 ? std::string_view(words[1]) : std::string_view());
}

std::string to_json(const ControlRequest& request) {
  const Verb& verb = verb_of(request.kind);
  base::JsonLine line;
  line.text("do", verb.name);
  switch (verb.operand) {
    case Operand::none: break;
    case Operand::text: line.text(verb.member, request.text); break;
    case Operand::count:
    case Operand::number: line.number(verb.member, request.number); break;
    case Operand::rate:
      line.text(verb.member,
                request.time ? fmt::format("{}", 1 / seconds_of(*request.time)) : "none");
      break;
    case Operand::delay:
      line.text(verb.member, request.time ? fmt::format("{}ns", request.time->count()) : "auto");
      break;
  }
  return line.finish();
}

std::string to_json(const CrawlProgress& status) {
  base::JsonLine errors;
  for (const auto& [cause, count] : status.errors) errors.number(cause, count);
  base::JsonLine outcomes;
  for (std::size_t i = 0; i < crawler::kOutcomes; ++i) {
    outcomes.number(crawler::name(static_cast<crawler::Outcome>(i)), status.outcomes[i]);
  }
  base::JsonLine by_status;
  for (const auto& [code, count] : status.by_status) by_status.number(std::to_string(code), count);
  base::JsonLine line;
  line.boolean("ok", true)
      .text("state", status.state)
      .text("version", status.version)
      .number("pid", status.process)
      .text("job", status.job)
      .decimal("elapsed", seconds_of(status.since_start), 3)
      .number("pages", status.pages);
  status.pages_in_all ? line.number("pages_in_all", *status.pages_in_all)
                      : line.null("pages_in_all");
  for (const Count& count : kCounts) line.number(count.name, status.*count.member);
  add_time(line, "gap", status.global_gap);
  add_time(line, "delay", status.delay);
  std::vector<std::string> pauses;
  for (const CrawlProgress::Pause& pause : status.pauses) {
    pauses.push_back(base::JsonLine()
                         .text("host", pause.host)
                         .text("reason", reason_of(pause))
                         .decimal("left", seconds_of(pause.left), 3)
                         .finish());
  }
  line.raw("outcomes", outcomes.finish()).raw("by_status", by_status.finish());
  line.raw("errors", errors.finish()).raw("pauses", array_of(pauses));
  return line.raw("failures", failures_json(status.failures)).finish();
}

std::string to_json(const FetchList& list) {
  std::vector<std::string> fetches;
  for (const FetchLine& fetch : list.fetches) fetches.push_back(json_of(fetch));
  return base::JsonLine()
      .boolean("ok", true)
      .number("total", list.total)
      .raw("fetches", array_of(fetches))
      .finish();
}

std::string done_reply(std::string_view what) {
  return base::JsonLine().boolean("ok", true).text("done", what).finish();
}

std::string error_reply(std::string_view why) {
  return base::JsonLine().boolean("ok", false).text("error", why).finish();
}

Result<std::string> parse_reply(std::string_view line) {
  auto value = open_reply(line);
  if (!value) return fail(std::move(value).error());
  return std::string(value->text_of("done"));
}

Result<CrawlProgress> parse_status(std::string_view line) {
  auto value = open_reply(line);
  if (!value) return fail(std::move(value).error());
  CrawlProgress status = {.state = std::string(value->text_of("state")),
                          .version = std::string(value->text_of("version")),
                          .process = number_in(*value, "pid"),
                          .job = std::string(value->text_of("job")),
                          .since_start = time_in(*value, "elapsed").value_or(Duration::zero()),
                          .pages = number_in(*value, "pages"),
                          .global_gap = time_in(*value, "gap"),
                          .delay = time_in(*value, "delay")};
  for (const Count& count : kCounts) status.*count.member = number_in(*value, count.name);
  if (const JsonValue* const all = value->find("pages_in_all")) {
    status.pages_in_all = all->as_number();
  }
  if (const JsonValue* const errors = value->find("errors")) {
    for (const base::JsonMember& error : errors->members) {
      status.errors[error.name] = error.value.as_number().value_or(0);
    }
  }
  // Older programs do not send these.
  if (const JsonValue* const outcomes = value->find("outcomes")) {
    for (std::size_t i = 0; i < crawler::kOutcomes; ++i) {
      status.outcomes[i] = number_in(*outcomes, crawler::name(static_cast<crawler::Outcome>(i)));
    }
  }
  if (const JsonValue* const by_status = value->find("by_status")) {
    for (const base::JsonMember& member : by_status->members) {
      int code = 0;
      if (!base::parse_number(member.name, code)) continue;
      status.by_status[code] = member.value.as_number().value_or(0);
    }
  }
  if (const JsonValue* const pauses = value->find("pauses")) {
    for (const JsonValue& pause : pauses->items) {
      status.pauses.push_back({.host = std::string(pause.text_of("host")),
                               .left = time_in(pause, "left").value_or(Duration::zero()),
                               .is_silent = pause.text_of("reason") == kSilent,
                               .is_refusing = pause.text_of("reason") == kRefused});
    }
  }
  if (const JsonValue* const failures = value->find("failures")) {
    for (const JsonValue& failure : failures->items) {
      status.failures.push_back({.url = std::string(failure.text_of("url")),
                                 .cause = std::string(failure.text_of("error")),
                                 .detail = std::string(failure.text_of("detail")),
                                 .via = std::string(failure.text_of("via")),
                                 .age = time_in(failure, "age").value_or(Duration::zero())});
    }
  }
  return status;
}

Result<FetchList> parse_fetches(std::string_view line) {
  auto value = open_reply(line);
  if (!value) return fail(std::move(value).error());
  FetchList list = {.total = number_in(*value, "total"), .fetches = {}};
  const JsonValue* const fetches = value->find("fetches");
  if (fetches == nullptr) return fail(Errc::malformed, "a reply without fetches");
  for (const JsonValue& fetch : fetches->items) list.fetches.push_back(fetch_of(fetch));
  return list;
}

std::string rate_text(const std::optional<Duration>& gap) {
  if (!gap || *gap == Duration::zero()) return "none";
  const double per_second = 1 / seconds_of(*gap);
  if (per_second >= 1) return fmt::format("{:.4g}/s", per_second);
  return fmt::format("{:.4g}/min", per_second * 60);
}

std::string delay_text(const std::optional<Duration>& delay) {
  return delay ? base::to_string(*delay) : "auto";
}

}  // namespace gossamer::run
