#include "warc/connection_fields.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

namespace gossamer::warc {
namespace {

using Lines = std::vector<std::pair<std::string, std::string>>;

std::string problem(const Lines& lines, std::string_view start = "HTTP/1.1 ",
                    RecordType type = RecordType::response) {
  RecordHead head;
  head.type = type;
  for (const auto& [name, value] : lines) head.fields.append(name, value);
  return std::string(connection_problem(head, start));
}

TEST(ConnectionFields, AcceptsWhatGossamerAndOthersWrite) {
  EXPECT_EQ(problem({}), "");
  EXPECT_EQ(problem({{"WARC-Protocol", "http/1.0"}}), "");
  EXPECT_EQ(problem({{"WARC-Protocol", "h2"}}), "");
  EXPECT_EQ(problem({{"WARC-Protocol", "h2"},
                     {"WARC-Protocol", "tls/1.3"},
                     {"WARC-Cipher-Suite", "TLS_AES_256_GCM_SHA384"}}),
            "");
  EXPECT_EQ(
      problem({{"warc-protocol", "ssl/3"}, {"warc-cipher-suite", "ECDHE-RSA-AES128-GCM-SHA256"}}),
      "");
  EXPECT_EQ(problem({{"WARC-Protocol", "dns"}}, "HTTP/2 is here", RecordType::resource), "");
}

TEST(ConnectionFields, FindsWhatReadersStumbleOver) {
  EXPECT_EQ(problem({{"WARC-Protocol", ""}}), "WARC-Protocol does not name a protocol");
  EXPECT_EQ(problem({{"WARC-Protocol", "HTTP/2"}}), "WARC-Protocol does not name a protocol");
  EXPECT_EQ(problem({{"WARC-Protocol", "h2, tls/1.3"}}), "WARC-Protocol does not name a protocol");
  EXPECT_EQ(problem({{"WARC-Protocol", "tls/1.3"}, {"WARC-Cipher-Suite", "aes 128"}}),
            "WARC-Cipher-Suite does not name a cipher suite");
  EXPECT_EQ(problem({{"WARC-Protocol", "h2"}, {"WARC-Cipher-Suite", "TLS_AES_128_GCM_SHA256"}}),
            "WARC-Cipher-Suite is without a WARC-Protocol of TLS");
  EXPECT_EQ(problem({{"WARC-Protocol", "h2"}}, "HTTP/2 20"),
            "the status line says HTTP/2, which many readers do not know");
}

TEST(ConnectionFields, KnowTheCharactersOfTheirNames) {
  for (int c = 0x20; c < 0x7F; ++c) {
    const std::string name(1, static_cast<char>(c));
    const bool is_digit = c >= '0' && c <= '9';
    const bool names_protocol =
        is_digit || (c >= 'a' && c <= 'z') || c == '/' || c == '.' || c == '-';
    EXPECT_EQ(problem({{"WARC-Protocol", name}}).empty(), names_protocol) << name;
    const bool names_cipher = is_digit || (c >= 'A' && c <= 'Z') || c == '_' || c == '-';
    EXPECT_EQ(problem({{"WARC-Protocol", "tls/1"}, {"WARC-Cipher-Suite", name}}).empty(),
              names_cipher)
        << name;
  }
  EXPECT_NE(problem({{"WARC-Protocol", "tls/1"}, {"WARC-Cipher-Suite", ""}}), "");
}

TEST(ConnectionFields, FindHttp2InResponsesAndRevisits) {
  EXPECT_NE(problem({}, "HTTP/2 20", RecordType::response), "");
  EXPECT_NE(problem({}, "HTTP/2.0 ", RecordType::revisit), "");
  EXPECT_EQ(problem({}, "HTTP/2 20", RecordType::request), "");
}

}  // namespace
}  // namespace gossamer::warc
