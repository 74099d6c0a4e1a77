#include "wire/request_writer.h"

#include <string>
#include <vector>

namespace gossamer::wire {
namespace {

using std::string_view_literals::operator""sv;

url::Url target_of(std::string_view text) { return *url::Url::parse(text); }

TEST(RequestWriterTest, WritesTheRequestLineHostAndFieldsInOrder) {
  const url::Url url = target_of("http://user:word@Example.com:8080/a b?q=1#top");
  const std::vector<RequestField> fields = {{"User-Agent", "x/1"}, {"Accept", "*/*"}};
  EXPECT_EQ(*write_request({.url = &url, .fields = fields}),
            "GET /a%20b?q=1 HTTP/1.1\r\nHost: example.com:8080\r\nUser-Agent: x/1\r\n"
            "Accept: */*\r\n\r\n");
}

TEST(RequestWriterTest, WritesEveryFormOfTarget) {
  const url::Url url = target_of("https://example.com/a?b");
  const auto first_line = [&](TargetForm form, std::string_view method) {
    const std::string text = *write_request({.method = method, .url = &url, .form = form});
    return text.substr(0, text.find('\r'));
  };
  EXPECT_EQ(first_line(TargetForm::origin, "GET"), "GET /a?b HTTP/1.1");
  EXPECT_EQ(first_line(TargetForm::absolute, "GET"), "GET https://example.com/a?b HTTP/1.1");
  EXPECT_EQ(first_line(TargetForm::authority, "CONNECT"), "CONNECT example.com:443 HTTP/1.1");
  EXPECT_EQ(first_line(TargetForm::asterisk, "OPTIONS"), "OPTIONS * HTTP/1.1");
}

TEST(RequestWriterTest, AnnouncesABody) {
  const url::Url url = target_of("http://a.example/");
  EXPECT_TRUE(write_request({.method = "POST", .url = &url, .body_bytes = 12})
                  ->ends_with("Content-Length: 12\r\n\r\n"));
  EXPECT_TRUE(write_request({.method = "PUT", .url = &url})->contains("Content-Length: 0\r\n"));
  EXPECT_FALSE(write_request({.url = &url})->contains("Content-Length"));
}

TEST(RequestWriterTest, LetsTheCallerNameTheHost) {
  const url::Url url = target_of("http://127.0.0.1/");
  const std::vector<RequestField> fields = {{"A", "b"}, {"host", "example.org"}};
  EXPECT_EQ(*write_request({.url = &url, .fields = fields}),
            "GET / HTTP/1.1\r\nHost: example.org\r\nA: b\r\n\r\n");
}

TEST(RequestWriterTest, RejectsEverythingThatWouldEndALine) {
  const url::Url url = target_of("http://a.example/");
  for (const std::string_view bad : {"a\r\nX: y"sv, "a\n"sv, "a\r"sv, "a\0b"sv, "a\x01"sv}) {
    const std::vector<RequestField> value = {{"X", bad}};
    EXPECT_EQ(write_request({.url = &url, .fields = value}).error(), Errc::invalid_argument);
    const std::vector<RequestField> name = {{bad, "x"}};
    EXPECT_EQ(write_request({.url = &url, .fields = name}).error(), Errc::invalid_argument);
    EXPECT_EQ(write_request({.method = bad, .url = &url}).error(), Errc::invalid_argument);
    const std::vector<RequestField> host = {{"Host", bad}};
    EXPECT_EQ(write_request({.url = &url, .fields = host}).error(), Errc::invalid_argument);
  }
  const std::vector<RequestField> length = {{"Content-length", "5"}};
  EXPECT_EQ(write_request({.url = &url, .fields = length}).error(), Errc::invalid_argument);
  const std::vector<RequestField> spaced = {{"X Y", "5"}};
  EXPECT_EQ(write_request({.url = &url, .fields = spaced}).error(), Errc::invalid_argument);
}

TEST(RequestWriterTest, LeavesTheOutputAsItWasWhenItFails) {
  const url::Url url = target_of("http://a.example/");
  std::string out = "before";
  const std::vector<RequestField> bad = {{"X", "\n"}};
  EXPECT_FALSE(write_request({.url = &url, .fields = bad}, out));
  EXPECT_EQ(out, "before");
  const url::Url file = target_of("file:///etc/passwd");
  EXPECT_EQ(write_request({.url = &file}).error(), Errc::invalid_argument);
}

TEST(RequestWriterTest, CannotBeTalkedIntoASecondRequestByAUrl) {
  for (const char* text : {"http://a.example/%0d%0aX:%20y", "http://a.example/a\r\nX: y",
                           "http://a.example/?a\nb", "http://a.example/\x01?\x7F"}) {
    const url::Url url = target_of(text);
    const auto written = write_request({.url = &url});
    ASSERT_TRUE(written) << text;
    EXPECT_EQ(std::ranges::count(*written, '\n'), 3) << text;
  }
}

TEST(RequestWriterTest, WritesTheHostOfEveryForm) {
  const url::Url url = target_of("http://example.com/");
  const auto host = [&](TargetForm form) {
    const std::string text = *write_request({.url = &url, .form = form});
    const std::size_t at = text.find("Host: ") + 6;
    return text.substr(at, text.find('\r', at) - at);
  };
  EXPECT_EQ(host(TargetForm::origin), "example.com");
  EXPECT_EQ(host(TargetForm::absolute), "example.com");
  EXPECT_EQ(host(TargetForm::authority), "example.com:80") << "CONNECT names the port";
}

TEST(RequestWriterTest, AnnouncesALengthForMethodsThatExpectABody) {
  const url::Url url = target_of("http://a.example/");
  for (const char* const method : {"POST", "PUT", "PATCH"}) {
    EXPECT_TRUE(expects_a_body(method));
    EXPECT_TRUE(write_request({.method = method, .url = &url})->contains("Content-Length: 0\r\n"));
  }
  for (const char* const method : {"GET", "HEAD", "DELETE", "OPTIONS", "post"}) {
    EXPECT_FALSE(expects_a_body(method));
    EXPECT_FALSE(write_request({.method = method, .url = &url})->contains("Content-Length"));
  }
  EXPECT_TRUE(write_request({.method = "DELETE", .url = &url, .body_bytes = 0})
                  ->contains("Content-Length: 0\r\n"));
}

// RFC 9113 section 8.2.2
TEST(RequestWriterTest, DescribesARequestOfHttp2WithoutFieldsOfTheConnection) {
  const url::Url url = target_of("https://a.example/");
  const std::vector<RequestField> fields = {{"Connection", "close"}, {"Keep-Alive", "5"},
                                            {"UPGRADE", "x"},        {"TE", "gzip"},
                                            {"te", "trailers"},      {"Accept", "*/*"},
                                            {"HTTP2-Settings", "x"}, {"Proxy-Connection", "x"}};
  std::string out;
  ASSERT_TRUE(describe_http2_request({.url = &url, .fields = fields}, out));
  EXPECT_EQ(out, "GET / HTTP/1.1\r\nHost: a.example\r\nte: trailers\r\nAccept: */*\r\n\r\n");
  EXPECT_TRUE(write_request({.url = &url, .fields = fields})->contains("Connection: close\r\n"));
}

TEST(RequestWriterTest, RejectsFieldsThatFrameTheBody) {
  const url::Url url = target_of("http://a.example/");
  for (const char* const name : {"Content-Length", "transfer-encoding", "TRANSFER-ENCODING"}) {
    const std::vector<RequestField> fields = {{name, "5"}};
    EXPECT_EQ(write_request({.url = &url, .fields = fields}).error(), Errc::invalid_argument);
  }
}

}  // namespace
}  // namespace gossamer::wire
