// Repairs text that is nearly XML.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace gossamer::robots {

// Escapes ampersands that do not start a reference; this is the only fault of most broken sitemaps.
// After a document type, whose entities we do not expand, references to entities become
// kEntityMark (robots/xml_reference.h). Works for any encoding that contains ASCII.
//
// BOUND: holds back about forty bytes.
class XmlEscaper {
 public:
  // Appends the part of the text that can be decided so far.
  void escape(std::string_view bytes, bool is_final, std::string& out);

 private:
  enum class Mode : std::uint8_t { content, comment, cdata };

  // Each takes something from the front of `rest_`; false if its end has not arrived.
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
