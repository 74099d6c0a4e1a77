// The basic URL parser, https://url.spec.whatwg.org/#concept-basic-url-parser. Internal to the url
// layer; other layers use Url.
//
// The standard describes a machine that moves from character to character. Here each of its states
// is a function that reads its whole part of the text; the names are the standard's. All of them
// append to the href, in its order, and record where the parts are.
//
//   parser.cc            survey of the text, scheme, relative references, file URLs
//   parser_authority.cc  user:password@host:port
//   parser_path.cc       path, query, fragment
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "url/code_points.h"
#include "url/query_encoder.h"
#include "url/url.h"
#include "url/writer.h"

namespace gossamer::url {

class Parser {
 public:
  // REQUIRES: `text` has no tabs or line ends, and no white space around it. `base` may be null.
  Parser(std::string_view text, const Url* base, QueryEncoder* query_encoder, Writer& out) noexcept
      : rest_(text), base_(base), query_encoder_(query_encoder), out_(out) {}

  UrlFailure run();
  const Url::Parts& parts() const noexcept { return parts_; }

  // Parses into `url`. See Url::assign.
  static UrlFailure parse_into(Url& url, std::string_view text, const Url* base,
                               QueryEncoder* query_encoder);

  // Returns whether the text is "https://user@host:port/..." with the same part before the path as
  // `other`.
  static bool is_beside(std::string_view text, const Url& other) noexcept;

 private:
  static UrlFailure parse_without_tabs_and_newlines(Url& url, std::string_view text,
                                                    const Url* base, QueryEncoder* query_encoder);

  bool is_special() const noexcept { return parts_.scheme_kind != SchemeKind::other; }
  bool is_slash(char c) const noexcept { return c == '/' || (c == '\\' && is_special()); }
  bool at_slash() const noexcept { return !rest_.empty() && is_slash(rest_[0]); }
  bool base_has_scheme_of(SchemeKind kind) const noexcept;

  // Each state takes its part from the front of rest_ and calls the next state.
  UrlFailure base_origin_state();
  UrlFailure scheme_state(std::size_t colon);
  UrlFailure no_scheme_state();
  UrlFailure special_authority_ignore_slashes_state();
  UrlFailure path_or_authority_state();
  UrlFailure relative_state();
  UrlFailure relative_slash_state();
  UrlFailure file_state();
  UrlFailure file_slash_state();
  UrlFailure file_host_state();
  UrlFailure authority_state();
  UrlFailure host_state(std::string_view host_and_port);
  UrlFailure port_state(std::string_view digits);
  UrlFailure path_start_state();
  UrlFailure path_state();
  UrlFailure opaque_path_state();
  UrlFailure query_state();
  UrlFailure fragment_state();
  UrlFailure query_or_fragment_state();
  UrlFailure base_path_state();

  void write_scheme(std::string_view scheme);
  void write_credentials(std::string_view credentials);
  void write_no_authority();
  void write_empty_file_host();
  // take_: records the positions of the base's parts; their text is copied together with the next
  // part.
  void take_base_scheme();
  void take_base_authority();
  void copy_base_until(std::uint32_t end);
  void copy_base_path();
  void copy_base_query();
  bool may_be_unusual_segment() const noexcept;
  bool write_usual_segments();
  void write_segment();
  void write_path_character();
  void finish_segment(std::uint32_t begin, bool slash_follows);
  std::size_t shortened_size(std::string_view path) const noexcept;
  void finish_path();
  UrlFailure write_query(std::string_view query);
  UrlFailure write_encoded_query(std::string_view query, ByteClass set);

  std::string_view rest_;
  const Url* base_;
  QueryEncoder* query_encoder_;
  Writer& out_;
  Url::Parts parts_;
};

}  // namespace gossamer::url
