#include "render/protocol.h"

#include <gtest/gtest.h>

#include <string>

#include "render/base64.h"

namespace gossamer::render {
namespace {

base::JsonValue json(std::string_view text) { return base::parse_json(text).value(); }

TEST(Protocol, ReadsAPausedRequest) {
  const auto paused = parse_paused_request(json(R"({"requestId":"R1","frameId":"F",
      "resourceType":"XHR","request":{"method":"POST","url":"https://a.example/x",
      "headers":{"Accept":"*/*","X-A":"b"},"postData":"unused",
      "postDataEntries":[{"bytes":"YQ=="},{"bytes":"YmM="}]}})"));
  ASSERT_TRUE(paused.has_value());
  EXPECT_EQ(paused->id, "R1");
  EXPECT_EQ(paused->frame, "F");
  EXPECT_EQ(paused->kind, "XHR");
  EXPECT_EQ(paused->method, "POST");
  EXPECT_EQ(paused->url, "https://a.example/x");
  ASSERT_EQ(paused->fields.size(), 2U);
  EXPECT_EQ(paused->fields[1].name, "X-A");
  EXPECT_EQ(paused->fields[1].value, "b");
  EXPECT_EQ(paused->body, "abc");
}

TEST(Protocol, RejectsAPausedRequestWithoutAnIdOrWithADamagedBody) {
  EXPECT_FALSE(parse_paused_request(json("{}")).has_value());
  EXPECT_FALSE(parse_paused_request(json(R"({"requestId":"R"})")).has_value());
  EXPECT_FALSE(parse_paused_request(
                   json(R"({"requestId":"R","request":{"postDataEntries":[{"bytes":"!"}]}})"))
                   .has_value());
}

TEST(Protocol, WritesAnAnswer) {
  const std::vector<http::Field> fields = {{"Content-Type", "text/plain"}, {"A", "\"b\""}};
  const Command command = fulfill_request("R1", {.status = 404, .fields = &fields, .body = "x\n"});
  EXPECT_EQ(command.method, "Fetch.fulfillRequest");
  const base::JsonValue parameters = json(command.parameters);
  EXPECT_EQ(parameters.text_of("requestId"), "R1");
  EXPECT_EQ(parameters.text_of("responseCode"), "404");
  EXPECT_EQ(from_base64(parameters.text_of("body")).value(), "x\n");
  const base::JsonValue* written = parameters.find("responseHeaders");
  ASSERT_NE(written, nullptr);
  ASSERT_EQ(written->items.size(), 2U);
  EXPECT_EQ(written->items[1].text_of("value"), "\"b\"");
}

TEST(Protocol, DistinguishesWindowsThatAPageOpened) {
  EXPECT_FALSE(parse_attached_target(json(R"({"sessionId":"S","targetInfo":{"targetId":"T",
      "type":"page","url":""}})"))
                   .has_opener);
  const AttachedTarget popup = parse_attached_target(json(R"({"sessionId":"S","targetInfo":{
      "targetId":"T","type":"page","url":"x","openerId":"O"}})"));
  EXPECT_TRUE(popup.has_opener);
  EXPECT_EQ(popup.kind, "page");
}

TEST(Protocol, ReportsExceptionsAndErrorsOfTheLog) {
  EXPECT_EQ(problem_of("Runtime.exceptionThrown",
                       json(R"({"exceptionDetails":{"text":"Uncaught","exception":
                           {"description":"TypeError: x"}}})")),
            "TypeError: x");
  EXPECT_EQ(problem_of("Log.entryAdded",
                       json(R"({"entry":{"level":"error","text":"404","url":"https://a/"}})")),
            "404 (https://a/)");
  EXPECT_EQ(problem_of("Log.entryAdded", json(R"({"entry":{"level":"warning","text":"w"}})")), "");
  EXPECT_EQ(problem_of("Page.loadEventFired", json("{}")), "");
}

TEST(Protocol, ReadsTheTextOfAScript) {
  EXPECT_EQ(text_result(json(R"({"result":{"type":"string","value":"x"}})")).value(), "x");
  EXPECT_FALSE(text_result(json(R"({"result":{"type":"number","value":1}})")).has_value());
  EXPECT_FALSE(
      text_result(json(R"({"result":{"type":"string","value":"x"},"exceptionDetails":{}})"))
          .has_value());
}

}  // namespace
}  // namespace gossamer::render
