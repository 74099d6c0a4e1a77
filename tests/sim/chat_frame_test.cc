#include "examples/chat/chat_frame.h"

#include <gtest/gtest.h>

#include <vector>

namespace gossamer::sim {
namespace {

const std::vector<ChatFrame> kFrames = {
    {.kind = ChatFrame::Kind::join, .number = 3, .client = 7},
    {.kind = ChatFrame::Kind::welcome, .number = 0xffffffff},
    {.kind = ChatFrame::Kind::line, .client = 1, .sequence = 258, .text = std::string(300, '\xff')},
    {.kind = ChatFrame::Kind::line, .text = ""},
};

std::vector<ChatFrame> read_in_pieces(std::string_view text, std::size_t piece) {
  ChatFrameReader reader;
  std::vector<ChatFrame> frames;
  for (std::size_t at = 0; at < text.size(); at += piece) {
    reader.feed(as_bytes(text.substr(at, piece)));
    for (;;) {
      auto frame = reader.next();
      EXPECT_TRUE(frame);
      if (!frame || !*frame) break;
      frames.push_back(std::move(**frame));
    }
  }
  EXPECT_TRUE(reader.at_boundary());
  return frames;
}

TEST(ChatFrame, FramesAreReadAsTheyWereWrittenHoweverTheyArrive) {
  std::string text;
  for (const ChatFrame& frame : kFrames) text += encode(frame);
  for (const std::size_t piece : {1u, 2u, 17u, 10'000u}) {
    EXPECT_EQ(read_in_pieces(text, piece), kFrames) << piece;
  }
}

TEST(ChatFrame, AFrameThatIsTooLongIsRefusedBeforeItArrives) {
  ChatFrameReader reader;
  reader.feed(as_bytes(std::string_view("\xff\xff\xff\x7f", 4)));
  const auto frame = reader.next();
  ASSERT_FALSE(frame);
  EXPECT_EQ(frame.error(), Errc::over_limit);
}

TEST(ChatFrame, AFrameWithoutAHeadIsMalformed) {
  ChatFrameReader reader;
  reader.feed(as_bytes(std::string_view("\x01\x00\x00\x00", 4)));
  const auto frame = reader.next();
  ASSERT_FALSE(frame);
  EXPECT_EQ(frame.error(), Errc::malformed);
}

TEST(ChatFrame, AnUnknownKindIsMalformed) {
  std::string text = encode({});
  text[4] = 9;
  ChatFrameReader reader;
  reader.feed(as_bytes(text));
  const auto frame = reader.next();
  ASSERT_FALSE(frame);
  EXPECT_EQ(frame.error(), Errc::malformed);
}

TEST(ChatFrame, HalfAFrameIsNotAtABoundary) {
  ChatFrameReader reader;
  EXPECT_TRUE(reader.at_boundary());
  reader.feed(as_bytes(std::string_view("\x20", 1)));
  EXPECT_FALSE(reader.at_boundary());
}

}  // namespace
}  // namespace gossamer::sim
