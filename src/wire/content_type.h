// MIME types as browsers read them (WHATWG MIME Sniffing, Fetch "extract a MIME type").
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace gossamer::wire {

// A MIME type: "text/html", and parameters such as charset. Type, subtype and the names of
// parameters are lower case; values are as they came.
class MimeType {
 public:
  struct Parameter {
    std::string name;
    std::string value;

    friend bool operator==(const Parameter&, const Parameter&) = default;
  };

  // "Parse a MIME type". Parameters that make no sense are left out, of equal ones the first
  // counts; a type or subtype that makes no sense is none. Bytes from 0x80 may be in values.
  // BOUND: at most 128 parameters; further ones are dropped.
  static std::optional<MimeType> parse(std::string_view text);

  std::string_view type() const { return std::string_view(essence_).substr(0, slash_); }
  std::string_view subtype() const { return std::string_view(essence_).substr(slash_ + 1); }
  // "text/html"
  std::string_view essence() const { return essence_; }

  const std::vector<Parameter>& parameters() const { return parameters_; }
  // REQUIRES: `name` is lower case.
  std::optional<std::string_view> parameter(std::string_view name) const;

  // "text/html;charset=utf-8"; values that need quotes have them.
  std::string to_string() const;

  // The groups of the standard.
  bool is_html() const { return essence_ == "text/html"; }
  bool is_xml() const;         // text/xml, application/xml, anything with +xml
  bool is_javascript() const;  // under any of its sixteen names
  bool is_json() const;        // application/json, text/json, anything with +json
  bool is_image() const { return type() == "image"; }
  bool is_audio_or_video() const;
  bool is_font() const;
  bool is_archive() const;  // zip, gzip, rar

  friend bool operator==(const MimeType&, const MimeType&) = default;

 private:
  friend std::optional<MimeType> extract_mime_type(std::span<const std::string_view> headers);

  MimeType() = default;
  void parse_parameters(std::string_view text);

  std::string essence_;
  std::size_t slash_ = 0;
  std::vector<Parameter> parameters_;
};

// The MIME type that a response's Content-Type headers say, in the order they came: the last that
// makes sense, with the charset of an earlier one of the same essence if it has none. Nothing if
// there is none.
std::optional<MimeType> extract_mime_type(std::span<const std::string_view> headers);

}  // namespace gossamer::wire
