#include "run/control/control_protocol.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>

namespace gossamer::run {
namespace {

using Kind = ControlRequest::Kind;
using Json = nlohmann::ordered_json;
using testing::ElementsAre;
using testing::HasSubstr;

ControlRequest parsed(std::string_view line) {
  auto request = parse_control_request(line);
  EXPECT_TRUE(request) << line << ": " << request.error().to_string();
  return request ? std::move(*request) : ControlRequest();
}

std::string problem(std::string_view line) {
  const auto request = parse_control_request(line);
  EXPECT_FALSE(request) << line;
  return request ? std::string() : std::string(request.error().detail());
}

TEST(ControlProtocol, ReadsRequests) {
  EXPECT_EQ(parsed(R"({"do":"status"})").kind, Kind::status);
  EXPECT_EQ(parsed(R"({"do":"fetches"})"), (ControlRequest{.kind = Kind::fetches, .number = 100}));
  EXPECT_EQ(parsed(R"({"do":"fetches","limit":7})").number, 7u);
  EXPECT_EQ(parsed(R"({"do":"pause","more":[1]})").kind, Kind::pause);
  EXPECT_EQ(parsed(R"({"do":"add","url":"http://a.example/\u00e9"})").text,
            "http://a.example/\xC3\xA9");
  EXPECT_EQ(parsed(R"({"do":"block","host":"a.example"})").text, "a.example");
  EXPECT_EQ(parsed(R"({"do":"concurrency","concurrency":32})").number, 32u);
  EXPECT_EQ(parsed(R"({"do":"concurrency","concurrency":"32"})").number, 32u);
  EXPECT_EQ(parsed(R"({"do":"rate","rate":4})").time, 250ms);
  EXPECT_EQ(parsed(R"({"do":"rate","rate":"30/min"})").time, 2s);
  EXPECT_EQ(parsed(R"({"do":"rate","rate":"0.5/s"})").time, 2s);
  EXPECT_EQ(parsed(R"({"do":"rate","rate":"none"})").time, std::nullopt);
  EXPECT_EQ(parsed(R"({"do":"delay","delay":"500ms"})").time, 500ms);
  EXPECT_EQ(parsed(R"({"do":"delay","delay":2})").time, 2s);
  EXPECT_EQ(parsed(R"({"do":"delay","delay":"auto"})").time, std::nullopt);
}

TEST(ControlProtocol, ExplainsInvalidRequests) {
  for (const std::string_view line : {"", "nonsense", "[]", "7", "{}", R"({"Do":"status"})",
                                      R"({"do":"status")", "{\"do\":\"status\"}x"}) {
    EXPECT_THAT(problem(line), HasSubstr("expected ")) << line;
  }
  EXPECT_EQ(problem(R"({"do":"puase"})"), "unknown request 'puase'; did you mean pause?");
  EXPECT_EQ(problem(R"({"do":7})"), "unknown request '7'");
  EXPECT_EQ(problem(R"({"do":"add"})"), "add requires a url");
  EXPECT_EQ(problem(R"({"do":"block","host":null})"), "block requires a host");
  EXPECT_THAT(problem(R"({"do":"add","url":["x"]})"), HasSubstr("must be a text or a number"));
  EXPECT_THAT(problem(R"({"do":"concurrency","concurrency":0})"), HasSubstr("from 1 to 100000"));
  EXPECT_THAT(problem(R"({"do":"concurrency","concurrency":1e3})"), HasSubstr("not '1e3'"));
  EXPECT_THAT(problem(R"({"do":"fetches","limit":1001})"), HasSubstr("from 1 to 1000"));
  for (const std::string_view rate : {"0", "-1", "x", "1/h", "nan", "inf", "1e30"}) {
    EXPECT_THAT(problem(R"({"do":"rate","rate":")" + std::string(rate) + "\"}"),
                HasSubstr("requests per second"))
        << rate;
  }
  EXPECT_THAT(problem(R"({"do":"delay","delay":"soon"})"), HasSubstr("a time such as"));
}

TEST(ControlProtocol, ReadsCommandLineWords) {
  EXPECT_EQ(control_request_of({"pause"})->kind, Kind::pause);
  EXPECT_EQ(control_request_of({"rate", "5/s"})->time, 200ms);
  EXPECT_EQ(control_request_of({"add", "a.example"})->text, "a.example");
  EXPECT_FALSE(control_request_of({"pause", "now"}));
  EXPECT_FALSE(control_request_of({"add"}));
  EXPECT_FALSE(control_request_of({"add", "a", "b"}));
}

TEST(ControlProtocol, WritesRequestsThatItReads) {
  for (const ControlRequest& request :
       std::vector<ControlRequest>{{.kind = Kind::status},
                                   {.kind = Kind::fetches, .number = 5},
                                   {.kind = Kind::rate, .time = 250ms},
                                   {.kind = Kind::rate},
                                   {.kind = Kind::delay, .time = 1500ms},
                                   {.kind = Kind::delay},
                                   {.kind = Kind::concurrency, .number = 9},
                                   {.kind = Kind::add, .text = "http://a.example/\"\n\x01"},
                                   {.kind = Kind::block, .text = "a.example"},
                                   {.kind = Kind::unblock, .text = "a.example"},
                                   {.kind = Kind::exclude, .text = "/tag/|[?]sort=\""},
                                   {.kind = Kind::unexclude, .text = "/tag/|[?]sort=\""},
                                   {.kind = Kind::abort}}) {
    const std::string line = to_json(request);
    EXPECT_EQ(line.find('\n'), std::string::npos);
    EXPECT_EQ(parsed(line), request) << line;
  }
}

CrawlProgress sample_status() {
  return {.state = "paused",
          .version = "1.2.3",
          .process = 77,
          .since_start = 75s,
          .pages = 1520,
          .wire_bytes = 14'200'000,
          .in_flight = 2,
          .waiting = 9811,
          .hosts = 12,
          .connections = 9,
          .http2_connections = 4,
          .streams = 30,
          .concurrency = 64,
          .threads = 3,
          .global_gap = 250ms,
          .delay = std::nullopt,
          .pages_in_all = 2000,
          .errors = {{"timed_out", 3}},
          .outcomes = {5, 1, 3, 0, 0},
          .by_status = {{200, 5}, {301, 1}},
          .pauses = {{.host = "a.example", .left = 90s},
                     {.host = "b.example", .left = 8500ms, .is_silent = true},
                     {.host = "c.example", .left = 1s, .is_refusing = true}},
          .failures = {{.url = "http://a.example/\x1b",
                        .cause = "timed_out",
                        .detail = "while connecting",
                        .via = "http://a.example/",
                        .age = 1500ms}}};
}

TEST(ControlProtocol, TransfersTheStatus) {
  const std::string line = to_json(sample_status());
  const Json json = Json::parse(line);
  EXPECT_EQ(json["ok"], true);
  EXPECT_EQ(json["state"], "paused");
  EXPECT_EQ(json["elapsed"], 75.0);
  EXPECT_EQ(json["gap"], 0.25);
  EXPECT_TRUE(json["delay"].is_null());
  EXPECT_EQ(json["errors"]["timed_out"], 3);
  EXPECT_EQ(json["pauses"][0]["reason"], "asked");
  EXPECT_EQ(json["pauses"][1]["host"], "b.example");
  EXPECT_EQ(json["pauses"][1]["reason"], "silent");
  EXPECT_EQ(json["pauses"][1]["left"], 8.5);
  EXPECT_EQ(json["pauses"][2]["reason"], "refused");
  EXPECT_EQ(json["failures"][0]["error"], "timed_out");
  EXPECT_EQ(json["failures"][0]["age"], 1.5);
  const auto read = parse_status(line);
  ASSERT_TRUE(read) << read.error().to_string();
  EXPECT_EQ(to_json(*read), line);
  EXPECT_EQ(to_json(*parse_status(to_json(CrawlProgress()))), to_json(CrawlProgress()));
}

TEST(ControlProtocol, ReadsTheStatusOfAnOlderProgram) {
  const auto read = parse_status(R"({"ok": true, "state": "running", "pages": 3})");
  ASSERT_TRUE(read);
  EXPECT_EQ(read->pages, 3u);
  EXPECT_TRUE(read->pauses.empty());
}

TEST(ControlProtocol, TransfersTheFetches) {
  const FetchList list = {.total = 70,
                          .fetches = {{.url = "http://a.example/\x1b[31m\n",
                                       .host = "a.example",
                                       .stage = "waiting",
                                       .age = 1234ms,
                                       .bytes = 5,
                                       .tries = 2,
                                       .loop = 1,
                                       .stack = {"#0 a.cc:1 in f()", "spawned at b.cc:2"}}}};
  const std::string line = to_json(list);
  EXPECT_EQ(line.find('\x1b'), std::string::npos);
  EXPECT_EQ(line.find('\n'), std::string::npos);
  const auto read = parse_fetches(line);
  ASSERT_TRUE(read);
  EXPECT_EQ(read->total, 70u);
  ASSERT_EQ(read->fetches.size(), 1u);
  EXPECT_EQ(read->fetches[0].url, list.fetches[0].url);
  EXPECT_EQ(read->fetches[0].age, 1234ms);
  EXPECT_THAT(read->fetches[0].stack, ElementsAre("#0 a.cc:1 in f()", "spawned at b.cc:2"));
  EXPECT_EQ(to_json(*read), line);
}

TEST(ControlProtocol, DistinguishesReplies) {
  EXPECT_EQ(*parse_reply(done_reply("paused")), "paused");
  const auto refused = parse_reply(error_reply("the crawl is ending"));
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code(), Errc::denied);
  EXPECT_EQ(refused.error().detail(), "the crawl is ending");
  EXPECT_EQ(parse_reply("HTTP/1.1 400 Bad Request").error().code(), Errc::malformed);
  EXPECT_EQ(parse_reply("{}").error().code(), Errc::malformed);
  EXPECT_EQ(parse_status("[]").error().code(), Errc::malformed);
  EXPECT_EQ(parse_fetches(R"({"ok":true})").error().code(), Errc::malformed);
}

TEST(ControlProtocol, FormatsRatesAndDelays) {
  EXPECT_EQ(rate_text(std::nullopt), "none");
  EXPECT_EQ(rate_text(200ms), "5/s");
  EXPECT_EQ(rate_text(2s), "30/min");
  EXPECT_EQ(delay_text(std::nullopt), "auto");
  EXPECT_EQ(delay_text(2s), "2 s");
}

TEST(ControlProtocol, RatesAndDelaysHaveUnits) {
  const auto time_of = [](std::string verb, std::string text) {
    const auto request = control_request_of({std::move(verb), std::move(text)});
    return request ? request->time.value_or(-1s) : -2s;
  };
  EXPECT_EQ(time_of("rate", "5"), 200ms);
  EXPECT_EQ(time_of("rate", "0.5/s"), 2s);
  EXPECT_EQ(time_of("rate", "30/min"), 2s);
  EXPECT_EQ(time_of("rate", "none"), -1s);
  EXPECT_EQ(time_of("rate", "1e9"), 1ns);
  for (const std::string text : {"", "0", "-1", "5/h", "5/s/s", "5x", "1e10", "1e-7", "nan"}) {
    EXPECT_EQ(time_of("rate", text), -2s) << text;
  }
  EXPECT_EQ(time_of("delay", "2"), 2s);
  EXPECT_EQ(time_of("delay", "1.5"), 1500ms);
  EXPECT_EQ(time_of("delay", "500ms"), 500ms);
  EXPECT_EQ(time_of("delay", "auto"), -1s);
  for (const std::string text : {"", "soon", "-1s", "1.5.5"}) {
    EXPECT_EQ(time_of("delay", text), -2s) << text;
  }
}

TEST(ControlProtocol, NumbersHaveBounds) {
  const auto number_of = [](std::vector<std::string> words) {
    const auto request = control_request_of(words);
    return request ? std::int64_t{request->number} : -1;
  };
  EXPECT_EQ(number_of({"fetches"}), 100);
  EXPECT_EQ(number_of({"fetches", "1"}), 1);
  EXPECT_EQ(number_of({"fetches", "1000"}), 1000);
  EXPECT_EQ(number_of({"fetches", "1001"}), -1);
  EXPECT_EQ(number_of({"fetches", "0"}), -1);
  EXPECT_EQ(number_of({"concurrency", "1"}), 1);
  EXPECT_EQ(number_of({"concurrency", "0"}), -1);
  EXPECT_EQ(number_of({"concurrency", "many"}), -1);
  EXPECT_EQ(number_of({"concurrency"}), -1);
  EXPECT_EQ(number_of({"concurrency", std::to_string(kConcurrencyMax)}), kConcurrencyMax);
  EXPECT_EQ(number_of({"concurrency", std::to_string(kConcurrencyMax + 1)}), -1);
}

TEST(ControlProtocol, AnOperandIsATextOrANumber) {
  EXPECT_EQ(parse_control_request(R"({"do":"concurrency","concurrency":"7"})")->number, 7u);
  EXPECT_EQ(parse_control_request(R"({"do":"fetches","limit":null})")->number, 100u);
  for (const std::string_view operand : {"[1]", "{}", "true", "false"}) {
    const auto request =
        parse_control_request(R"({"do":"block","host":)" + std::string(operand) + "}");
    ASSERT_FALSE(request) << operand;
    EXPECT_EQ(request.error().detail(), "the host of block must be a text or a number");
  }
  EXPECT_EQ(parse_control_request(R"({"do":"block"})").error().detail(), "block requires a host");
  EXPECT_EQ(parse_control_request(R"({"do":"block","host":null})").error().detail(),
            "block requires a host");
}

TEST(ControlProtocol, AHostileStatusIsReadAsFarAsItMakesSense) {
  const auto read =
      parse_status(R"({"ok":true,"state":7,"pages":-3,"elapsed":"long","gap":1e300,"delay":-5,)"
                   R"("errors":[1],"outcomes":{"page":"x"},"by_status":{"many":3,"404":2},)"
                   R"("pauses":[{"host":"a","reason":"silent","left":2},{"reason":"refused"},7],)"
                   R"("failures":[{"url":"u","age":1.5},{}],"pages_in_all":"x"})");
  ASSERT_TRUE(read) << read.error().to_string();
  EXPECT_EQ(read->pages, 0u);
  EXPECT_EQ(read->since_start, 0s);
  EXPECT_EQ(read->global_gap, 9'000'000'000s) << "as long as times can be";
  EXPECT_EQ(read->delay, 0s);
  EXPECT_FALSE(read->pages_in_all.has_value());
  EXPECT_EQ(read->by_status.size(), 1u);
  EXPECT_EQ(read->by_status.at(404), 2u);
  ASSERT_EQ(read->pauses.size(), 3u);
  EXPECT_TRUE(read->pauses[0].is_silent);
  EXPECT_FALSE(read->pauses[0].is_refusing);
  EXPECT_EQ(read->pauses[0].left, 2s);
  EXPECT_TRUE(read->pauses[1].is_refusing);
  EXPECT_FALSE(read->pauses[1].is_silent);
  ASSERT_EQ(read->failures.size(), 2u);
  EXPECT_EQ(read->failures[0].age, 1500ms);
}

TEST(ControlProtocol, OtherTextIsNotAReply) {
  for (const std::string_view line :
       {"{}", R"({"ok":1})", R"({"ok":"true"})", "[]", R"({"done":"x"})"}) {
    const auto status = parse_status(line);
    ASSERT_FALSE(status) << line;
    EXPECT_EQ(status.error().code(), Errc::malformed) << line;
  }
  EXPECT_EQ(parse_fetches(R"({"ok":true,"total":1})").error().code(), Errc::malformed);
  EXPECT_EQ(parse_fetches(R"({"ok":false,"error":"no"})").error().detail(), "no");
  const std::string long_reason = R"({"ok":false,"error":")" + std::string(200'000, 'x') + "\"}";
  EXPECT_EQ(parse_fetches(long_reason).error().detail().size(), 4096U);
  EXPECT_TRUE(parse_fetches(R"({"ok":true,"fetches":[]})").has_value());
}

TEST(ControlProtocol, RatesAreShownPerSecondOrMinute) {
  EXPECT_EQ(rate_text(Duration::zero()), "none");
  EXPECT_EQ(rate_text(1s), "1/s");
  EXPECT_EQ(rate_text(1001ms), "59.94/min");
}

}  // namespace
}  // namespace gossamer::run
