// Looks for <meta charset> at the beginning of an HTML document without parsing it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "html/encoding/encoding.h"

namespace gossamer::html {

enum class PrescanOutcome : std::uint8_t { found, absent, needs_more };

struct Prescan {
  PrescanOutcome outcome = PrescanOutcome::absent;
  Encoding encoding = Encoding::utf_8;  // when found
};

// https://html.spec.whatwg.org/#prescan-a-byte-stream-to-determine-its-encoding
// with the differences that browsers agree on, because they use their tokenizer for it:
// a <meta> within a script, style sheet or title is none; character references in the attributes
// count; and the search goes on beyond 1024 bytes as long as the head has not ended.
Prescan prescan_html(std::string_view bytes, std::size_t bytes_max, bool is_whole);

// "Get an XML encoding": what the XML declaration says that the document starts with. Sets
// `*needs_more` if the declaration does not end within `bytes`.
std::optional<Encoding> xml_declared_encoding(std::string_view bytes, bool* needs_more) noexcept;

}  // namespace gossamer::html
