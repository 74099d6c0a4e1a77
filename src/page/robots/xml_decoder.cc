#include "robots/xml_decoder.h"

#include <unicode/ucnv.h>

#include <algorithm>
#include <array>

#include "base/ascii.h"
#include "base/check.h"

namespace gossamer::robots {
namespace {

constexpr std::size_t kDeclarationBytesMax = 64 * 1024;
constexpr std::string_view kDeclaration = "<?xml";

// The value of encoding="..." in an XML declaration; empty if there is none.
std::string declared_encoding(std::string_view declaration) {
  const std::size_t at = declaration.find("encoding");
  if (at == std::string_view::npos) return {};
  std::string_view rest = declaration.substr(at + 8);
  rest.remove_prefix(std::min(rest.find_first_of("\"'"), rest.size()));
  if (rest.empty()) return {};
  const std::string_view label = rest.substr(1, rest.find(rest.front(), 1) - 1);
  // A declaration that can be read byte by byte belongs to a document whose characters are bytes.
  for (const std::string_view wide : {"utf-", "ucs-", "iso-10646"}) {
    if (base::equals_ignoring_case(label.substr(0, wide.size()), wide)) return {};
  }
  return std::string(label);
}

}  // namespace

std::optional<std::string> encoding_of_xml(std::string_view start, bool is_whole) {
  if (start.size() < 2 && !is_whole) return std::nullopt;
  if (start.starts_with("\xFF\xFE") || start.starts_with("\xFE\xFF")) return "UTF-16";
  if (start.starts_with(std::string_view("\0<", 2))) return "UTF-16BE";
  if (start.starts_with(std::string_view("<\0", 2))) return "UTF-16LE";
  const bool is_final = is_whole || start.size() >= kDeclarationBytesMax;
  const std::size_t end = start.find("?>");
  const bool may_be_declared =
      start.starts_with(kDeclaration) || (kDeclaration.starts_with(start) && !is_final);
  if (may_be_declared && end == std::string_view::npos && !is_final) return std::nullopt;
  if (!may_be_declared || end == std::string_view::npos) return std::string();
  return declared_encoding(start.substr(0, end));
}

struct XmlDecoder::State {
  UConverter* from = nullptr;
  UConverter* to = nullptr;
  std::array<UChar, 1024> pivot;
  UChar* pivot_begin = pivot.data();  // of what was read and not yet written
  UChar* pivot_end = pivot.data();
};

XmlDecoder::XmlDecoder(const std::string& encoding) : state_(std::make_unique<State>()) {
  UErrorCode status = U_ZERO_ERROR;
  state_->from = ucnv_open(encoding.c_str(), &status);
  state_->to = ucnv_open("UTF-8", &status);
}

XmlDecoder::~XmlDecoder() {
  ucnv_close(state_->from);
  ucnv_close(state_->to);
}

bool XmlDecoder::is_open() const { return state_->from != nullptr && state_->to != nullptr; }

void XmlDecoder::decode(std::string_view bytes, bool is_final, std::string& out) {
  if (bytes.data() == nullptr) bytes = "";  // ICU takes a null pointer for a mistake
  const char* source = bytes.data();
  UErrorCode status = U_BUFFER_OVERFLOW_ERROR;
  while (status == U_BUFFER_OVERFLOW_ERROR) {
    std::array<char, 4096> piece;
    char* target = piece.data();
    status = U_ZERO_ERROR;
    ucnv_convertEx(state_->to, state_->from, &target, piece.data() + piece.size(), &source,
                   bytes.data() + bytes.size(), state_->pivot.data(), &state_->pivot_begin,
                   &state_->pivot_end, state_->pivot.data() + state_->pivot.size(),
                   /*reset=*/false, is_final, &status);
    out.append(piece.data(), target);
  }
  CHECK(U_SUCCESS(status), "ICU: {}", u_errorName(status));
}

}  // namespace gossamer::robots
