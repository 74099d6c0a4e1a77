// Converts XML in other encodings to UTF-8.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace gossamer::robots {

// Returns the encoding of a document that begins like this: by its byte order mark, its zero bytes
// or its declaration. Empty: UTF-8. Returns nothing while that is undecided.
// BOUND: a declaration that does not end within 64 KiB counts as none.
std::optional<std::string> encoding_of_xml(std::string_view start, bool is_whole);

class XmlDecoder {
 public:
  // It is not open if ICU does not know the encoding.
  explicit XmlDecoder(const std::string& encoding);
  ~XmlDecoder();
  XmlDecoder(const XmlDecoder&) = delete;
  XmlDecoder& operator=(const XmlDecoder&) = delete;

  bool is_open() const;
  // Appends the text in UTF-8. Accepts pieces of any size; invalid bytes become U+FFFD.
  // REQUIRES: is_open().
  void decode(std::string_view bytes, bool is_final, std::string& out);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace gossamer::robots
