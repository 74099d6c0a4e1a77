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

}  // namespace
}  // namespace gossamer::warc
