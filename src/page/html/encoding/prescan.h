// Searches for <meta charset> at the beginning of an HTML document without parsing it.
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
  Encoding encoding = Encoding::utf_8;  // if found
};

// https://html.spec.whatwg.org/#prescan-a-byte-stream-to-determine-its-encoding
// with the differences on which browsers agree, because they use their tokenizer for it: a <meta>
// within a script, style sheet or title does not count; character references in attributes are
// decoded; and the search continues beyond 1024 bytes until the head ends.
Prescan prescan_html(std::string_view bytes, std::size_t bytes_max, bool is_whole);

// "Get an XML encoding": returns the encoding of the XML declaration at the start of the document.
// Sets `*needs_more` if the declaration does not end within `bytes`.
std::optional<Encoding> xml_declared_encoding(std::string_view bytes, bool* needs_more) noexcept;

}  // namespace gossamer::html
