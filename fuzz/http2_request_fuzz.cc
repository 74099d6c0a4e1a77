// Requests that the client writes as HTTP/2, read by nghttp2's server: it accepts every one that
// write_request() accepts, and finds what was meant, whatever limits it sets.
#include <nghttp2/nghttp2.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/ascii.h"
#include "base/check.h"
#include "url/url.h"
#include "wire/http2_session.h"

namespace gossamer {
namespace {

using Fields = std::vector<std::pair<std::string, std::string>>;

struct Received {
  Fields fields;
  std::string body;
  bool has_ended = false;
};

class NoReader final : public wire::Http2Reader {
 public:
  void on_sent(std::size_t) override {}
  void on_frame(std::size_t) override {}
  void on_begin() override {}
  void on_head(wire::ResponseHead) override {}
  void on_body(Bytes) override {}
  void on_end(wire::Http2End, std::optional<Error>) override {}
};

// A server that only listens.
class Server {
 public:
  explicit Server(const std::vector<nghttp2_settings_entry>& settings) {
    nghttp2_session_callbacks* callbacks = nullptr;
    CHECK(nghttp2_session_callbacks_new(&callbacks) == 0);
    nghttp2_session_callbacks_set_on_header_callback(callbacks, on_header);
    nghttp2_session_callbacks_set_on_data_chunk_recv_callback(callbacks, on_data);
    nghttp2_session_callbacks_set_on_frame_recv_callback(callbacks, on_frame);
    nghttp2_session_callbacks_set_on_invalid_frame_recv_callback(callbacks, on_invalid);
    CHECK(nghttp2_session_server_new(&session_, callbacks, this) == 0);
    nghttp2_session_callbacks_del(callbacks);
    CHECK(nghttp2_submit_settings(session_, NGHTTP2_FLAG_NONE, settings.data(), settings.size()) ==
          0);
  }
  ~Server() { nghttp2_session_del(session_); }
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;

  void receive(std::string_view bytes) {
    const ssize_t used = nghttp2_session_mem_recv(
        session_, reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size());
    CHECK_EQ(used, static_cast<ssize_t>(bytes.size()));
  }
  std::string take_output() {
    std::string out;
    const std::uint8_t* data = nullptr;
    while (const ssize_t size = nghttp2_session_mem_send(session_, &data)) {
      CHECK(size > 0);
      out.append(reinterpret_cast<const char*>(data), static_cast<std::size_t>(size));
    }
    return out;
  }

  std::map<std::int32_t, Received> received;

 private:
  static Server& self_of(void* user) { return *static_cast<Server*>(user); }

  static int on_header(nghttp2_session*, const nghttp2_frame* frame, const std::uint8_t* name,
                       std::size_t name_size, const std::uint8_t* value, std::size_t value_size,
                       std::uint8_t, void* user) {
    self_of(user).received[frame->hd.stream_id].fields.emplace_back(
        std::string(reinterpret_cast<const char*>(name), name_size),
        std::string(reinterpret_cast<const char*>(value), value_size));
    return 0;
  }
  static int on_data(nghttp2_session*, std::uint8_t, std::int32_t stream, const std::uint8_t* data,
                     std::size_t size, void* user) {
    self_of(user).received[stream].body.append(reinterpret_cast<const char*>(data), size);
    return 0;
  }
  static int on_frame(nghttp2_session*, const nghttp2_frame* frame, void* user) {
    const bool has_end = frame->hd.type == NGHTTP2_HEADERS || frame->hd.type == NGHTTP2_DATA;
    if (has_end && (frame->hd.flags & NGHTTP2_FLAG_END_STREAM) != 0) {
      self_of(user).received[frame->hd.stream_id].has_ended = true;
    }
    return 0;
  }
  static int on_invalid(nghttp2_session*, const nghttp2_frame*, int error, void*) {
    CHECK(false, "the server rejects a frame: {}", nghttp2_strerror(error));
    return 0;
  }

  nghttp2_session* session_ = nullptr;
};

std::string lower(std::string_view text) {
  std::string out(text);
  for (char& c : out) c = base::to_lower(c);
  return out;
}

std::string_view trim(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t')) text.remove_suffix(1);
  return text;
}

// RFC 9113 section 8.2.2, in other words than the client's.
bool is_left_out(const std::string& name, std::string_view value) {
  if (name == "te") return value != "trailers";
  return name == "connection" || name == "proxy-connection" || name == "keep-alive" ||
         name == "upgrade" || name == "http2-settings";
}

// The parts are separated by a line end: method, path, fields as "name:value", and the body.
struct Asked {
  std::string method;
  std::string path;
  std::vector<std::pair<std::string, std::string>> fields;
  std::string body;
};

Asked read(std::string_view bytes) {
  Asked asked;
  const auto next = [&bytes] {
    const std::size_t end = std::min(bytes.find('\n'), bytes.size());
    const std::string part(bytes.substr(0, end));
    bytes.remove_prefix(std::min(end + 1, bytes.size()));
    return part;
  };
  asked.method = next();
  asked.path = next();
  while (!bytes.empty() && bytes.front() != '\n') {
    const std::string line = next();
    const std::size_t colon = std::min(line.find(':'), line.size());
    asked.fields.emplace_back(line.substr(0, colon), line.substr(std::min(colon + 1, line.size())));
  }
  if (!bytes.empty()) asked.body = bytes.substr(1);
  return asked;
}

Fields expected_of(const Asked& asked, const url::Url& url, bool has_body) {
  Fields fields = {{":method", asked.method},
                   {":scheme", "https"},
                   {":authority", "a.example"},
                   {":path", std::string(url.request_target())}};
  for (const auto& [name, value] : asked.fields) {
    if (!is_left_out(lower(name), value)) fields.emplace_back(lower(name), trim(value));
  }
  if (has_body || asked.method == "POST" || asked.method == "PUT" || asked.method == "PATCH") {
    fields.emplace_back("content-length", std::to_string(asked.body.size()));
  }
  return fields;
}

void ask(const Asked& asked, const std::vector<nghttp2_settings_entry>& settings) {
  const auto url = url::Url::parse("https://a.example/" + asked.path);
  if (!url || url->hostname() != "a.example" || asked.method == "CONNECT") return;
  std::vector<wire::RequestField> fields;
  for (const auto& [name, value] : asked.fields) {
    if (lower(name) == "host") return;  // the user's own risk
    fields.push_back({name, value});
  }
  wire::Request head = {.method = asked.method, .url = &*url, .fields = fields};
  if (!asked.body.empty()) head.body_bytes = asked.body.size();
  if (!wire::write_request(head)) return;

  Server server(settings);
  const wire::Http2Limits limits;
  wire::Http2Session session(limits);
  NoReader reader;
  const std::int32_t streams[] = {session.request(head, "https", as_bytes(asked.body), reader),
                                  session.request(head, "https", as_bytes(asked.body), reader)};
  for (;;) {
    const std::string answer = server.take_output();
    CHECK(session.receive(as_bytes(answer)).has_value());
    std::string out;
    CHECK(session.take_output(out, 1 << 16).has_value());
    if (answer.empty() && out.empty()) break;
    server.receive(out);
  }
  const Fields expected = expected_of(asked, *url, !asked.body.empty());
  for (const std::int32_t stream : streams) {
    const Received& got = server.received[stream];
    CHECK(got.has_ended && got.fields == expected && got.body == asked.body);
    session.cancel(stream);
  }
}

}  // namespace
}  // namespace gossamer

// The first bytes are the settings of the server, which may be small, but let everything through.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  constexpr std::size_t kSettings = 3;
  if (size < kSettings || size > 8192) return 0;
  const std::vector<nghttp2_settings_entry> settings = {
      {NGHTTP2_SETTINGS_HEADER_TABLE_SIZE, static_cast<std::uint32_t>(data[0]) * 32},
      {NGHTTP2_SETTINGS_INITIAL_WINDOW_SIZE, static_cast<std::uint32_t>(data[1]) * 64 + 1},
      {NGHTTP2_SETTINGS_MAX_FRAME_SIZE, 16'384 + static_cast<std::uint32_t>(data[2]) * 16},
  };
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  gossamer::ask(gossamer::read(bytes.substr(kSettings)), settings);
  return 0;
}
