// Makes text that is nearly XML into XML.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace gossamer::robots {

// What stands in a text for an entity that is not expanded: a code point for private use, U+10FFFD.
inline constexpr std::string_view kEntityMark = "\xF4\x8F\xBF\xBD";

// Escapes ampersands that start no reference; most broken sitemaps are broken in this way only.
// After a document type, whose entities we do not want, references to entities become kEntityMark.
// For any encoding in which ASCII is ASCII.
//
// BOUND: holds back some forty bytes.
class XmlEscaper {
 public:
  // Appends what can be said of the text so far.
  void escape(std::string_view bytes, bool is_final, std::string& out);

 private:
  enum class Mode : std::uint8_t { content, comment, cdata };

  // Each takes something off the front of `rest_`; false: its end is not there yet.
  bool take_content(bool is_final, std::string& out);
  bool take_markup(bool is_final, std::string& out);
  bool take_ampersand(bool is_final, std::string& out);
  bool take_section(bool is_final, std::string& out);
  void pass(std::size_t size, std::string& out);

  Mode mode_ = Mode::content;
  bool has_document_type_ = false;
  std::string_view rest_;
  std::string held_;
};

}  // namespace gossamer::robots
