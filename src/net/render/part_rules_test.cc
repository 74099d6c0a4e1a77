#include "render/part_rules.h"

#include <gtest/gtest.h>

#include <string>

namespace gossamer::render {
namespace {

PausedRequest request_for(std::string_view kind, std::string_view accept = "*/*") {
  PausedRequest paused;
  paused.kind = kind;
  paused.fields.push_back({"accept", std::string(accept)});
  return paused;
}

TEST(PartRules, LoadOnlyWhatAPageNeedsForItsText) {
  for (const char* kind : {"Script", "Stylesheet", "XHR", "Fetch", "Document", "Preflight"}) {
    EXPECT_TRUE(is_wanted_part(request_for(kind), {})) << kind;
  }
  for (const char* kind : {"Image", "Font", "Media", "EventSource", "Ping", "WebSocket"}) {
    EXPECT_FALSE(is_wanted_part(request_for(kind), {})) << kind;
  }
  EXPECT_TRUE(is_wanted_part(request_for("Image"), {.images = true}));
  EXPECT_TRUE(is_wanted_part(request_for("Font"), {.fonts = true}));
  EXPECT_FALSE(is_wanted_part(request_for("Media"), {.images = true, .fonts = true}));
  EXPECT_FALSE(is_wanted_part(request_for("Fetch", "text/event-stream"), {}));
}

TEST(PartRules, KeepTheFieldsOfARequestThatAreThePages) {
  const auto request = request_of({.id = "R",
                                   .frame = "",
                                   .kind = "Fetch",
                                   .method = "POST",
                                   .url = "https://a.example/x#y",
                                   .fields = {{"user-agent", "Chrome"},
                                              {"Sec-Fetch-Mode", "cors"},
                                              {"Accept", "*/*"},
                                              {"X-Token", "t"}},
                                   .body = "b"});
  ASSERT_TRUE(request.has_value());
  EXPECT_EQ(request->method, "POST");
  EXPECT_EQ(request->body, "b");
  ASSERT_EQ(request->fields.size(), 2U);
  EXPECT_EQ(request->fields[0].name, "Accept");
  EXPECT_EQ(request->fields[1].name, "X-Token");
}

TEST(PartRules, RejectWhatIsNotHttp) {
  for (const char* url :
       {"ftp://a.example/", "file:///etc/passwd", "nonsense", "ws://a.example/"}) {
    PausedRequest paused;
    paused.url = url;
    EXPECT_FALSE(request_of(std::move(paused)).has_value()) << url;
  }
}

TEST(PartRules, DropFieldsAboutTheTransfer) {
  const std::vector<http::Field> fields = {{"content-encoding", "br"},
                                           {"Content-Length", "7"},
                                           {"Content-Type", "text/html"},
                                           {"Content-Disposition", "attachment"}};
  EXPECT_EQ(part_fields(fields).size(), 2U);
  ASSERT_EQ(document_fields(fields).size(), 1U);
  EXPECT_EQ(document_fields(fields)[0].name, "Content-Type");
}

}  // namespace
}  // namespace gossamer::render
