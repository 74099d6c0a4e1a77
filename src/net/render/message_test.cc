#include "render/message.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace gossamer::render {
namespace {

std::vector<std::string> split(const std::string& bytes, std::size_t piece) {
  MessageSplitter splitter(1000);
  std::vector<std::string> messages;
  for (std::size_t at = 0; at < bytes.size(); at += piece) {
    EXPECT_TRUE(splitter.feed(as_bytes(bytes.substr(at, piece))).has_value());
    while (auto message = splitter.next()) messages.push_back(std::move(*message));
  }
  return messages;
}

TEST(MessageSplitter, FindsMessagesHoweverTheyArrive) {
  const std::string bytes = std::string("{\"id\":1}\0{}\0\0{\"a\":2}\0rest", 25);
  const std::vector<std::string> expected = {"{\"id\":1}", "{}", "", "{\"a\":2}"};
  for (std::size_t piece = 1; piece <= bytes.size(); ++piece) {
    EXPECT_EQ(split(bytes, piece), expected) << piece;
  }
}

TEST(MessageSplitter, RejectsALongMessage) {
  MessageSplitter splitter(10);
  EXPECT_TRUE(splitter.feed(as_bytes("0123456789")).has_value());
  EXPECT_EQ(splitter.feed(as_bytes("x")).error(), Errc::over_limit);
}

TEST(MessageSplitter, AcceptsManyMessagesThatAreLongTogether) {
  MessageSplitter splitter(3);
  EXPECT_TRUE(splitter.feed(as_bytes(std::string_view("abc\0def\0", 8))).has_value());
  EXPECT_EQ(splitter.next(), "abc");
  EXPECT_EQ(splitter.next(), "def");
  EXPECT_EQ(splitter.next(), std::nullopt);
}

TEST(Message, IsAReplyOrAnEvent) {
  const auto reply = parse_message(R"({"id":7,"result":{"a":"b"},"sessionId":"S"})");
  ASSERT_TRUE(reply.has_value());
  EXPECT_EQ(reply->id, 7U);
  EXPECT_EQ(reply->session, "S");
  EXPECT_EQ(reply->body.text_of("a"), "b");
  const auto event = parse_message(R"({"method":"Page.x","params":{"c":"d"}})");
  ASSERT_TRUE(event.has_value());
  EXPECT_EQ(event->id, std::nullopt);
  EXPECT_EQ(event->method, "Page.x");
  EXPECT_EQ(event->body.text_of("c"), "d");
}

TEST(Message, HasTheReasonOfAFailure) {
  const auto reply = parse_message(R"({"id":7,"error":{"code":-32000,"message":"no such page"}})");
  ASSERT_TRUE(reply.has_value());
  EXPECT_EQ(reply->problem, "no such page");
}

TEST(Message, RejectsWhatIsNotOne) {
  for (const char* text : {"", "[]", "{}", "{\"id\":\"x\"}", "{\"id\":1", "7"}) {
    EXPECT_EQ(parse_message(text).error(), Errc::malformed) << text;
  }
}

TEST(Message, WritesCommands) {
  const std::string plain = write_command(3, "", {"Browser.getVersion"});
  EXPECT_EQ(plain.back(), '\0');
  auto command = base::parse_json(plain.substr(0, plain.size() - 1));
  ASSERT_TRUE(command.has_value());
  EXPECT_EQ(command->text_of("id"), "3");
  EXPECT_EQ(command->text_of("method"), "Browser.getVersion");
  EXPECT_EQ(command->find("sessionId"), nullptr);
  const std::string of_page = write_command(4, "S\"", {"Page.navigate", R"({"url":"x"})"});
  command = base::parse_json(of_page.substr(0, of_page.size() - 1));
  ASSERT_TRUE(command.has_value());
  EXPECT_EQ(command->text_of("sessionId"), "S\"");
  EXPECT_EQ(command->find("params")->text_of("url"), "x");
}

}  // namespace
}  // namespace gossamer::render
