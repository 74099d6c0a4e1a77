#include "tests/support/xml_expat.h"

#include <expat.h>
#include <unicode/ucnv.h>

#include <limits>
#include <string>
#include <utility>

#include "base/check.h"
#include "robots/xml_reference.h"
#include "tests/support/xml_escaper.h"

namespace gossamer::robots {
namespace {

static_assert(std::is_same_v<XML_Char, char>);

// expat supports UTF-8, UTF-16, Latin-1 and ASCII; ICU provides other one-byte encodings.
int find_encoding(void*, const XML_Char* name, XML_Encoding* encoding) {
  UErrorCode status = U_ZERO_ERROR;
  UConverter* const converter = ucnv_open(name, &status);
  if (U_FAILURE(status)) return XML_STATUS_ERROR;
  const bool is_single_byte = ucnv_getMaxCharSize(converter) == 1;
  for (int byte = 0; is_single_byte && byte < 256; ++byte) {
    const char input = static_cast<char>(byte);
    const char* at = &input;
    UErrorCode byte_status = U_ZERO_ERROR;
    const UChar32 c = ucnv_getNextUChar(converter, &at, at + 1, &byte_status);
    encoding->map[byte] = U_SUCCESS(byte_status) && c != 0xFFFD ? c : -1;
  }
  ucnv_close(converter);
  encoding->data = nullptr;
  encoding->convert = nullptr;
  encoding->release = nullptr;
  return is_single_byte ? XML_STATUS_OK : XML_STATUS_ERROR;
}

bool is_utf16(std::string_view bytes) {
  const std::string_view start = bytes.substr(0, 2);
  return start == "\xFF\xFE" || start == "\xFE\xFF" || start.contains('\0');
}

}  // namespace

struct ExpatReader::State {
  State(SitemapElements& given, bool is_utf8)
      : elements(given), parser(XML_ParserCreate(is_utf8 ? "UTF-8" : nullptr)) {
    CHECK(parser != nullptr);
  }
  ~State() { XML_ParserFree(parser); }

  void feed(std::string_view bytes, bool is_final);
  void parse(std::string_view bytes, bool is_final);
  void fail_by_parser();

  SitemapElements& elements;
  XML_Parser parser;
  std::optional<Error> trouble;
  XmlEscaper escaper;
  std::string escaped;
  bool is_first = true;
  bool is_wide = false;  // UTF-16, in which an ampersand is not a byte
};

namespace {

template <class State>
State& state_of(void* user) {
  return *static_cast<State*>(user);
}

}  // namespace

ExpatReader::ExpatReader(SitemapElements& elements, bool is_utf8)
    : state_(std::make_unique<State>(elements, is_utf8)) {
  XML_Parser parser = state_->parser;
  XML_SetUserData(parser, state_.get());
  XML_SetElementHandler(
      parser,
      [](void* user, const XML_Char* name, const XML_Char** attributes) {
        State& state = state_of<State>(user);
        state.elements.start(name, attributes);
        if (state.elements.trouble()) XML_StopParser(state.parser, XML_FALSE);
      },
      [](void* user, const XML_Char*) {
        State& state = state_of<State>(user);
        state.elements.end();
        if (state.elements.trouble()) XML_StopParser(state.parser, XML_FALSE);
      });
  XML_SetCharacterDataHandler(parser, [](void* user, const XML_Char* text, int size) {
    state_of<State>(user).elements.text({text, static_cast<std::size_t>(size)});
  });
  // The escaper lets no entity pass that it recognises. If it is tricked, this handler makes expat
  // pass the reference on instead of expanding it.
  XML_SetDefaultHandler(parser, [](void* user, const XML_Char* text, int) {
    if (*text == '&') state_of<State>(user).elements.text(kEntityMark);
  });
  XML_SetAttlistDeclHandler(parser, [](void* user, const XML_Char*, const XML_Char*,
                                       const XML_Char*, const XML_Char*, int) {
    State& state = state_of<State>(user);
    state.trouble.emplace(Errc::denied, "sitemap: its DTD declares attributes");
    XML_StopParser(state.parser, XML_FALSE);
  });
  XML_SetUnknownEncodingHandler(parser, find_encoding, nullptr);
}

ExpatReader::~ExpatReader() = default;

void ExpatReader::State::parse(std::string_view bytes, bool is_final) {
  CHECK_LE(bytes.size(), std::size_t{std::numeric_limits<int>::max()});
  const int size = static_cast<int>(bytes.size());
  if (XML_Parse(parser, bytes.data(), size, is_final) != XML_STATUS_OK) fail_by_parser();
}

void ExpatReader::State::fail_by_parser() {
  if (trouble || elements.trouble()) {
    if (!trouble) trouble = std::move(elements.trouble());
    return;
  }
  // The last text was complete if the tag that ends it had begun.
  int offset = 0, size = 0;
  const char* const context = XML_GetInputContext(parser, &offset, &size);
  const bool is_at_tag = context != nullptr && offset < size && context[offset] == '<';
  trouble.emplace(Errc::malformed, std::string("sitemap: ") +
                                       XML_ErrorString(XML_GetErrorCode(parser)) + " in line " +
                                       std::to_string(XML_GetCurrentLineNumber(parser)));
  elements.break_off(is_at_tag);
}

void ExpatReader::State::feed(std::string_view bytes, bool is_final) {
  if (trouble) return;
  if (is_first && !bytes.empty()) {
    is_first = false;
    is_wide = is_utf16(bytes);
  }
  if (is_wide) {
    parse(bytes, is_final);
    return;
  }
  escaped.clear();
  escaper.escape(bytes, is_final, escaped);
  parse(escaped, is_final);
}

void ExpatReader::feed(std::string_view bytes) { state_->feed(bytes, /*is_final=*/false); }
void ExpatReader::finish() { state_->feed({}, /*is_final=*/true); }

std::optional<Error>& ExpatReader::trouble() { return state_->trouble; }

}  // namespace gossamer::robots
