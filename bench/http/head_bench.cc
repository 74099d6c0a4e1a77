// Heads of responses: the cost of our parser, compared with llhttp with callbacks for the same
// fields.
#include <llhttp.h>

#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "bench/http/benchmarks.h"
#include "bench/support/cpu.h"
#include "bench/support/samples.h"
#include "wire/response_parser.h"

namespace gossamer::bench {
namespace {

constexpr std::string_view kShortHead =
    "HTTP/1.1 200 OK\r\nServer: nginx/1.22.1\r\nDate: Sun, 15 Nov 2026 10:00:00 GMT\r\n"
    "Content-Type: text/html\r\nContent-Length: 10240\r\n"
    "Last-Modified: Sat, 14 Nov 2026 10:00:00 GMT\r\nConnection: keep-alive\r\n"
    "ETag: \"655343a0-2800\"\r\nAccept-Ranges: bytes\r\n\r\n";

std::string long_head() {
  std::string head(kShortHead.substr(0, kShortHead.size() - 2));
  head += "Content-Security-Policy: default-src 'self'; img-src * data:; script-src 'self' ";
  for (int i = 0; i < 20; ++i) head += "https://cdn" + std::to_string(i) + ".example.com ";
  head += "\r\n";
  for (int i = 0; i < 4; ++i) {
    head += "Set-Cookie: id" + std::to_string(i) +
            "=0123456789abcdef0123456789abcdef; Path=/; Secure; HttpOnly; SameSite=Lax\r\n";
  }
  return head + "Strict-Transport-Security: max-age=63072000\r\nVary: Accept-Encoding\r\n\r\n";
}

// The result of llhttp for a head, as views like ours.
struct Noted {
  std::vector<std::string_view> names;
  std::vector<std::string_view> values;
};

int note_name(llhttp_t* parser, const char* at, std::size_t size) {
  static_cast<Noted*>(parser->data)->names.emplace_back(at, size);
  return 0;
}

int note_value(llhttp_t* parser, const char* at, std::size_t size) {
  static_cast<Noted*>(parser->data)->values.emplace_back(at, size);
  return 0;
}

std::size_t read_with_llhttp(const std::string& received) {
  static const llhttp_settings_t settings = [] {
    llhttp_settings_t made;
    llhttp_settings_init(&made);
    made.on_header_field = note_name;
    made.on_header_value = note_value;
    return made;
  }();
  const std::string head = received;  // the bytes are kept in both cases
  Noted noted;
  llhttp_t parser;
  llhttp_init(&parser, HTTP_RESPONSE, &settings);
  parser.data = &noted;
  llhttp_execute(&parser, head.data(), head.size());
  return noted.values.size();
}

std::size_t read_with_ours(const std::string& received) {
  static const wire::ResponseLimits limits;
  wire::ResponseParser parser(wire::RequestKind::ordinary, limits);
  const auto step = parser.feed(as_bytes(received));
  if (!step || step->kind != wire::ResponseParser::Step::Kind::head) return 0;
  return parser.take_head().size();
}

void measure(const char* name, const std::string& head, const Options& options, Report& report) {
  const std::size_t count = options.quick ? 2'000 : 100'000;
  if (read_with_llhttp(head) != read_with_ours(head)) {
    std::fprintf(stderr, "bench_http: the parsers do not agree on %s\n", name);
    std::exit(1);
  }
  const auto samples = in_turns(options.quick ? 1 : 7, 2, [&](std::size_t i) {
    const double begin = process_cpu_ns();
    std::size_t fields = 0;
    for (std::size_t n = 0; n < count; ++n) {
      fields += i == 0 ? read_with_llhttp(head) : read_with_ours(head);
    }
    if (fields == 0) std::exit(1);
    return (process_cpu_ns() - begin) / static_cast<double>(count);
  });
  const double floor = median(samples[0]);
  report.add({.name = std::string(name) + ", llhttp", .value = floor, .unit = "ns"});
  report.add({.name = std::string(name) + ", ours",
              .value = median(samples[1]),
              .unit = "ns",
              .floor = floor});
}

}  // namespace

void heads(const Options& options, Report& report) {
  report.heading("the head of an answer, parsed, its fields noted, its bytes kept");
  measure("head/of a page from nginx", std::string(kShortHead), options, report);
  measure("head/with cookies and policies", long_head(), options, report);
}

}  // namespace gossamer::bench
