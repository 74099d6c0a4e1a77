// MIME types as browsers read them (WHATWG MIME Sniffing, Fetch "extract a MIME type").
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace gossamer::wire {

// A MIME type: "text/html", and parameters such as charset. Type, subtype and parameter names are
// lower case; values are unchanged.
class MimeType {
 public:
  struct Parameter {
    std::string name;
    std::string value;

    friend bool operator==(const Parameter&, const Parameter&) = default;
  };

  // "Parse a MIME type". Invalid parameters are dropped, and the first of several with one name
  // counts. Returns nothing for an invalid type or subtype. Values may contain bytes from 0x80.
  // BOUND: at most 128 parameters; further ones are dropped.
  static std::optional<MimeType> parse(std::string_view text);

  std::string_view type() const { return std::string_view(essence_).substr(0, slash_); }
  std::string_view subtype() const { return std::string_view(essence_).substr(slash_ + 1); }
  // "text/html"
  std::string_view essence() const { return essence_; }

  const std::vector<Parameter>& parameters() const { return parameters_; }
  // REQUIRES: `name` is lower case.
  std::optional<std::string_view> parameter(std::string_view name) const;

  // Returns "text/html;charset=utf-8"; values are quoted where necessary.
  std::string to_string() const;

  // The groups of the standard.
  bool is_html() const { return essence_ == "text/html"; }
  bool is_xml() const;         // text/xml, application/xml, anything with +xml
  bool is_json() const;        // application/json, text/json, anything with +json
  bool is_javascript() const;  // text/javascript and its older names
  bool is_image() const { return type() == "image"; }

  friend bool operator==(const MimeType&, const MimeType&) = default;

 private:
  friend std::optional<MimeType> extract_mime_type(std::span<const std::string_view> headers);

  MimeType() = default;
  void parse_parameters(std::string_view text);

  std::string essence_;
  std::size_t slash_ = 0;
  std::vector<Parameter> parameters_;
};

// Returns the MIME type of a response's Content-Type headers, given in their order: the last valid
// one, with the charset of an earlier one of the same essence if it has none.
std::optional<MimeType> extract_mime_type(std::span<const std::string_view> headers);

}  // namespace gossamer::wire
