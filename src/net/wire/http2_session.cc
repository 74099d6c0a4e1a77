#include "wire/http2_session.h"

#include <nghttp2/nghttp2.h>

#include <algorithm>
#include <cstring>
#include <utility>
#include <vector>

#include "base/ascii.h"
#include "base/check.h"
#include "wire/text.h"

namespace gossamer::wire {

namespace {

std::string_view text_of(const std::uint8_t* data, std::size_t size) {
  return {reinterpret_cast<const char*>(data), size};
}

nghttp2_nv field_of(std::string_view name, std::string_view value) {
  // nghttp2 only reads them.
  const auto bytes = [](std::string_view text) {
    return const_cast<std::uint8_t*>(reinterpret_cast<const std::uint8_t*>(text.data()));
  };
  return {.name = bytes(name),
          .value = bytes(value),
          .namelen = name.size(),
          .valuelen = value.size(),
          .flags = NGHTTP2_NV_FLAG_NONE};
}

// The fields of a request, with the names in lower case.
class RequestFields {
 public:
  RequestFields(const Request& head, std::string_view scheme, std::size_t body_bytes) {
    std::string_view authority = host_field(*head.url);
    std::size_t bytes = 0;
    for (const RequestField& field : head.fields) {
      bytes += field.name.size();
      if (equals_ignoring_case(field.name, "host")) authority = field.value;
    }
    names_.reserve(bytes);  // the views stay valid
    fields_.reserve(kOwnFields + head.fields.size());
    fields_.push_back(field_of(":method", head.method));
    fields_.push_back(field_of(":scheme", scheme));
    fields_.push_back(field_of(":authority", authority));
    fields_.push_back(field_of(":path", head.url->request_target()));
    for (const RequestField& field : head.fields) {
      // The authority replaces Host.
      if (!is_of_http1(field) && !equals_ignoring_case(field.name, "host")) add(field);
    }
    if (head.body_bytes || expects_a_body(head.method)) {
      length_ = std::to_string(body_bytes);
      fields_.push_back(field_of("content-length", length_));
    }
  }

  const std::vector<nghttp2_nv>& get() const { return fields_; }

 private:
  static constexpr std::size_t kOwnFields = 5;

  void add(const RequestField& field) {
    const std::size_t begin = names_.size();
    for (const char c : field.name) names_ += base::to_lower(c);
    fields_.push_back(field_of(std::string_view(names_).substr(begin), trim_blanks(field.value)));
  }

  std::string names_;
  std::string length_;
  std::vector<nghttp2_nv> fields_;
};

}  // namespace

struct Http2Session::Callbacks {
  static constexpr std::size_t kFrameHeaderBytes = 9;

  static Http2Session& self_of(void* user) { return *static_cast<Http2Session*>(user); }

  static int on_begin_frame(nghttp2_session*, const nghttp2_frame_hd* frame, void* user) {
    Http2Session& self = self_of(user);
    Stream* const stream = self.stream_of(frame->stream_id);
    if (stream != nullptr) stream->reader->on_frame(frame->length + kFrameHeaderBytes);
    // The rest of a body that was cut off. BOUND: idle_bytes_max.
    const bool is_rest = stream == nullptr && frame->type == NGHTTP2_DATA && frame->length > 0;
    return is_rest ? 0 : self.note_frame();
  }

  static int on_begin_headers(nghttp2_session*, const nghttp2_frame* frame, void* user) {
    Http2Session& self = self_of(user);
    Stream* const stream = self.stream_of(frame->hd.stream_id);
    if (stream == nullptr) return 0;
    self.note_progress();  // BOUND: streams are ours, and each has few heads
    stream->reader->on_begin();
    stream->head.clear();
    stream->bytes = 0;
    stream->fields = 0;
    stream->status = 0;
    return 0;
  }

  static int on_header(nghttp2_session*, const nghttp2_frame* frame, const std::uint8_t* name,
                       std::size_t name_size, const std::uint8_t* value, std::size_t value_size,
                       std::uint8_t, void* user) {
    Http2Session& self = self_of(user);
    Stream* const stream = self.stream_of(frame->hd.stream_id);
    if (stream == nullptr) return 0;
    return self.take_field(*stream, text_of(name, name_size), text_of(value, value_size));
  }

  static int on_invalid_header(nghttp2_session*, const nghttp2_frame* frame, const std::uint8_t*,
                               std::size_t, const std::uint8_t*, std::size_t, std::uint8_t,
                               void* user) {
    Http2Session& self = self_of(user);
    Stream* const stream = self.stream_of(frame->hd.stream_id);
    if (stream == nullptr) return 0;
    return self.reject(*stream, Error(Errc::malformed, "invalid character in a field"));
  }

  static int on_frame(nghttp2_session*, const nghttp2_frame* frame, void* user) {
    Http2Session& self = self_of(user);
    if (frame->hd.type == NGHTTP2_GOAWAY) self.note_goaway(frame->goaway.error_code);
    Stream* const stream = self.stream_of(frame->hd.stream_id);
    if (stream == nullptr) return 0;
    const bool is_last = (frame->hd.flags & NGHTTP2_FLAG_END_STREAM) != 0;
    if (frame->hd.type == NGHTTP2_HEADERS) {
      self.end_fields(*stream, is_last);
      return 0;
    }
    if (frame->hd.type == NGHTTP2_RST_STREAM) stream->was_reset = true;
    if (frame->hd.type == NGHTTP2_DATA && is_last) {
      self.end(*stream, Http2End::complete, std::nullopt);
    }
    return 0;
  }

  static int on_data(nghttp2_session* session, std::uint8_t, std::int32_t id,
                     const std::uint8_t* data, std::size_t size, void* user) {
    Http2Session& self = self_of(user);
    nghttp2_session_consume_connection(session, size);
    Stream* const stream = self.stream_of(id);
    if (stream == nullptr || size == 0) return 0;
    self.note_progress();
    stream->reader->on_body({reinterpret_cast<const std::byte*>(data), size});
    return 0;
  }

  static int on_close(nghttp2_session*, std::int32_t id, std::uint32_t code, void* user) {
    Http2Session& self = self_of(user);
    if (Stream* const stream = self.stream_of(id)) self.close(*stream, code);
    return 0;
  }

  static int on_sent(nghttp2_session*, const nghttp2_frame* frame, void* user) {
    Http2Session& self = self_of(user);
    Stream* const stream = self.stream_of(frame->hd.stream_id);
    if (stream == nullptr) return 0;
    const bool has_content = frame->hd.type == NGHTTP2_HEADERS || frame->hd.type == NGHTTP2_DATA;
    if (!has_content) return 0;
    stream->is_sent = true;
    self.note_progress();
    stream->reader->on_sent(frame->hd.length + kFrameHeaderBytes);
    return 0;
  }

  static int on_complaint(nghttp2_session*, int, const char* text, std::size_t size, void* user) {
    self_of(user).complaint_.assign(text, size);
    return 0;
  }

  static ssize_t read_body(nghttp2_session*, std::int32_t id, std::uint8_t* out, std::size_t room,
                           std::uint32_t* flags, nghttp2_data_source* source, void*) {
    Stream* const stream = self_of(source->ptr).stream_of(id);
    if (stream == nullptr) return NGHTTP2_ERR_TEMPORAL_CALLBACK_FAILURE;
    const std::size_t size = std::min(room, stream->body.size());
    if (size > 0) std::memcpy(out, stream->body.data(), size);
    stream->body = stream->body.subspan(size);
    if (stream->body.empty()) *flags |= NGHTTP2_DATA_FLAG_EOF;
    return static_cast<ssize_t>(size);
  }

  static const nghttp2_session_callbacks* all() {
    static const nghttp2_session_callbacks* const made = [] {
      nghttp2_session_callbacks* callbacks = nullptr;
      CHECK(nghttp2_session_callbacks_new(&callbacks) == 0);
      nghttp2_session_callbacks_set_on_begin_frame_callback(callbacks, on_begin_frame);
      nghttp2_session_callbacks_set_on_begin_headers_callback(callbacks, on_begin_headers);
      nghttp2_session_callbacks_set_on_header_callback(callbacks, on_header);
      nghttp2_session_callbacks_set_on_invalid_header_callback(callbacks, on_invalid_header);
      nghttp2_session_callbacks_set_on_frame_recv_callback(callbacks, on_frame);
      nghttp2_session_callbacks_set_on_data_chunk_recv_callback(callbacks, on_data);
      nghttp2_session_callbacks_set_on_stream_close_callback(callbacks, on_close);
      nghttp2_session_callbacks_set_on_frame_send_callback(callbacks, on_sent);
      nghttp2_session_callbacks_set_error_callback2(callbacks, on_complaint);
      return callbacks;
    }();
    return made;
  }

  static const nghttp2_option* options() {
    static const nghttp2_option* const made = [] {
      nghttp2_option* options = nullptr;
      CHECK(nghttp2_option_new(&options) == 0);
      nghttp2_option_set_no_auto_window_update(options, 1);
      nghttp2_option_set_no_closed_streams(options, 1);
      // BOUND: the fields of a request; the default of 64 KiB is less than HTTP/1.1 allows.
      nghttp2_option_set_max_send_header_block_length(options, 1024 * 1024);
      nghttp2_option_set_peer_max_concurrent_streams(options, 100);  // until its SETTINGS arrive
      // As HTTP/1.1 has it: blanks around a value do not belong to it.
      nghttp2_option_set_no_rfc9113_leading_and_trailing_ws_validation(options, 1);
      return options;
    }();
    return made;
  }
};

std::string_view http2_code_name(std::uint32_t code) noexcept {
  return nghttp2_http2_strerror(code);
}

void Http2Session::Free::operator()(nghttp2_session* session) const noexcept {
  nghttp2_session_del(session);
}

Http2Session::Http2Session(const Http2Limits& limits) : limits_(limits) {
  nghttp2_session* session = nullptr;
  CHECK(nghttp2_session_client_new2(&session, Callbacks::all(), this, Callbacks::options()) == 0);
  session_.reset(session);
  const nghttp2_settings_entry settings[] = {
      {NGHTTP2_SETTINGS_ENABLE_PUSH, 0},
      {NGHTTP2_SETTINGS_INITIAL_WINDOW_SIZE, limits.stream_window},
      {NGHTTP2_SETTINGS_MAX_HEADER_LIST_SIZE, limits.response.head_bytes_max},
  };
  CHECK(nghttp2_submit_settings(session, NGHTTP2_FLAG_NONE, settings, std::size(settings)) == 0);
  CHECK(nghttp2_session_set_local_window_size(
            session, NGHTTP2_FLAG_NONE, 0, static_cast<std::int32_t>(limits.connection_window)) ==
        0);
}

Http2Session::~Http2Session() = default;

Http2Session::Stream* Http2Session::stream_of(std::int32_t id) {
  const auto place = streams_.find(id);
  return place == streams_.end() ? nullptr : &place->second;
}

std::int32_t Http2Session::request(const Request& head, std::string_view scheme, Bytes body,
                                   Http2Reader& reader) {
  const RequestFields fields(head, scheme, body.size());
  nghttp2_data_provider provider = {};
  provider.source.ptr = this;
  provider.read_callback = Callbacks::read_body;
  const std::int32_t id =
      nghttp2_submit_request(session_.get(), nullptr, fields.get().data(), fields.get().size(),
                             body.empty() ? nullptr : &provider, nullptr);
  CHECK(id > 0, "nghttp2: {}", nghttp2_strerror(id));
  Stream& stream = streams_[id];
  stream.id = id;
  stream.reader = &reader;
  stream.body = body;
  return id;
}

void Http2Session::cancel(std::int32_t id) {
  if (streams_.erase(id) == 0) return;
  nghttp2_submit_rst_stream(session_.get(), NGHTTP2_FLAG_NONE, id, NGHTTP2_CANCEL);
}

void Http2Session::consume(std::int32_t id, std::size_t bytes) {
  nghttp2_session_consume_stream(session_.get(), id, bytes);
}

Result<void> Http2Session::receive(Bytes bytes) {
  std::string().swap(complaint_);  // it may quote a long field; an assignment would keep its memory
  idle_bytes_ += bytes.size();
  const ssize_t used = nghttp2_session_mem_recv(
      session_.get(), reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size());
  if (failure_) return gossamer::fail(failure_->copy());
  if (used == NGHTTP2_ERR_FLOODED) {
    return gossamer::fail(Errc::malformed, "HTTP/2: the server sends too many control frames");
  }
  if (idle_bytes_ > limits_.idle_bytes_max) {
    keep_calm();
    return gossamer::fail(failure_->copy());
  }
  // nghttp2 has queued a GOAWAY, and ignores what follows.
  const bool has_failed = !goaway_code_ && !accepts_requests();
  if (used >= 0 && !has_failed) return {};
  const std::string why = !complaint_.empty() ? complaint_
                          : used < 0          ? nghttp2_strerror(static_cast<int>(used))
                                              : "";
  return gossamer::fail(Errc::malformed, "HTTP/2: " + (why.empty() ? "protocol error" : why));
}

bool Http2Session::wants_input() const { return nghttp2_session_want_read(session_.get()) != 0; }

bool Http2Session::has_output() const { return nghttp2_session_want_write(session_.get()) != 0; }

Result<void> Http2Session::take_output(std::string& out, std::size_t bytes_max) {
  while (out.size() < bytes_max) {
    const std::uint8_t* data = nullptr;
    const ssize_t size = nghttp2_session_mem_send(session_.get(), &data);
    if (size < 0) {
      return gossamer::fail(Errc::internal,
                            std::string("nghttp2: ") + nghttp2_strerror(static_cast<int>(size)));
    }
    if (size == 0) break;
    out.append(reinterpret_cast<const char*>(data), static_cast<std::size_t>(size));
  }
  return {};
}

void Http2Session::fail(const Error& why) {
  while (!streams_.empty()) {
    Stream& stream = streams_.begin()->second;
    end(stream, stream.is_sent ? Http2End::failed : unprocessed(), why.copy());
  }
}

bool Http2Session::accepts_requests() const {
  return nghttp2_session_check_request_allowed(session_.get()) != 0;
}

void Http2Session::end(Stream& stream, Http2End how, std::optional<Error> error) {
  Http2Reader& reader = *stream.reader;
  // The server may answer before it has read the whole request.
  const bool has_rest = !stream.body.empty();
  const std::int32_t id = stream.id;
  streams_.erase(id);
  if (has_rest) nghttp2_submit_rst_stream(session_.get(), NGHTTP2_FLAG_NONE, id, NGHTTP2_NO_ERROR);
  reader.on_end(how, std::move(error));
}

int Http2Session::note_frame() {
  if (++idle_frames_ <= limits_.idle_frames_max) return 0;
  keep_calm();
  return NGHTTP2_ERR_CALLBACK_FAILURE;
}

void Http2Session::keep_calm() {
  failure_ = Error(Errc::malformed, "HTTP/2: the server sends only control frames");
  nghttp2_session_terminate_session(session_.get(), NGHTTP2_ENHANCE_YOUR_CALM);
}

// nghttp2 resets the stream and keeps its tables in step.
int Http2Session::reject(Stream& stream, Error error) {
  if (!stream.failure) stream.failure = std::move(error);
  return NGHTTP2_ERR_TEMPORAL_CALLBACK_FAILURE;
}

int Http2Session::take_field(Stream& stream, std::string_view name, std::string_view value) {
  const ResponseLimits& limits = limits_.response;
  const std::size_t bytes = name.size() + value.size() + 4;
  stream.bytes += bytes;
  if (bytes > limits.line_bytes_max || stream.bytes > limits.head_bytes_max ||
      ++stream.fields > limits.fields_max) {
    return reject(stream, Error(Errc::over_limit, "the fields of the response are too large"));
  }
  if (stream.has_head) return 0;  // trailers are not used
  if (name == ":status") {
    if (value.size() != 3 || !std::ranges::all_of(value, base::is_digit) || value[0] == '0') {
      return reject(stream, Error(Errc::malformed, "invalid status code"));
    }
    stream.status =
        static_cast<std::int16_t>((value[0] - '0') * 100 + (value[1] - '0') * 10 + value[2] - '0');
    stream.head.append("HTTP/1.1 ").append(value).append(" \r\n");
    return 0;
  }
  if (name.starts_with(':')) return reject(stream, Error(Errc::malformed, "unknown pseudo-field"));
  stream.head.append(name).append(": ").append(trim_blanks(value)).append("\r\n");
  return 0;
}

void Http2Session::end_fields(Stream& stream, bool is_last) {
  if (!stream.has_head && stream.status / 100 == 1) {
    if (++stream.interim <= limits_.response.interim_max) return;
    return give_up(stream, Error(Errc::over_limit, "too many interim responses"));
  }
  if (!stream.has_head) {
    stream.head += "\r\n";
    auto head = ResponseHead::parse(stream.head, limits_.response.fields_max);
    std::string().swap(stream.head);
    if (!head) return give_up(stream, std::move(head).error());
    stream.has_head = true;
    stream.reader->on_head(std::move(*head));
  }
  if (is_last) end(stream, Http2End::complete, std::nullopt);
}

void Http2Session::give_up(Stream& stream, Error error) {
  nghttp2_submit_rst_stream(session_.get(), NGHTTP2_FLAG_NONE, stream.id, NGHTTP2_CANCEL);
  stream.body = {};
  end(stream, Http2End::failed, std::move(error));
}

std::optional<Error> Http2Session::refusal() const {
  if (goaway_code_ != NGHTTP2_ENHANCE_YOUR_CALM) return std::nullopt;
  return Error(Errc::overloaded,
               "the server closes the connection: " + std::string(http2_code_name(*goaway_code_)));
}

// A server that is overloaded gets no second request.
Http2End Http2Session::unprocessed() const {
  if (goaway_code_ == NGHTTP2_ENHANCE_YOUR_CALM) return Http2End::failed;
  if (goaway_code_ == NGHTTP2_HTTP_1_1_REQUIRED) return Http2End::http1_required;
  return Http2End::unprocessed;
}

void Http2Session::close(Stream& stream, std::uint32_t code) {
  if (stream.failure) return end(stream, Http2End::failed, std::move(stream.failure));
  const std::string name(http2_code_name(code));
  if (!stream.is_sent || code == NGHTTP2_REFUSED_STREAM) {
    return end(stream, unprocessed(),
               refusal().value_or(
                   Error(Errc::unavailable, "the server did not accept the request: " + name)));
  }
  if (!stream.was_reset && code != NGHTTP2_NO_ERROR) {
    return end(stream, Http2End::failed,
               Error(Errc::malformed, complaint_.empty() ? "HTTP/2: " + name : complaint_));
  }
  if (code == NGHTTP2_HTTP_1_1_REQUIRED) {
    return end(stream, Http2End::http1_required,
               Error(Errc::unsupported, "the server requires HTTP/1.1"));
  }
  const Errc reason = code == NGHTTP2_ENHANCE_YOUR_CALM ? Errc::overloaded : Errc::reset;
  end(stream, Http2End::failed, Error(reason, "the server reset the stream: " + name));
}

// Requests that were not sent will never be.
void Http2Session::note_goaway(std::uint32_t code) {
  goaway_code_ = code;
  std::vector<std::int32_t> unsent;
  for (const auto& [id, stream] : streams_) {
    if (!stream.is_sent) unsent.push_back(id);
  }
  for (const std::int32_t id : unsent) {
    Http2Reader& reader = *streams_.at(id).reader;
    cancel(id);
    reader.on_end(unprocessed(), refusal().value_or(Error(Errc::unavailable,
                                                          "the server closes the connection: " +
                                                              std::string(http2_code_name(code)))));
  }
}

}  // namespace gossamer::wire
