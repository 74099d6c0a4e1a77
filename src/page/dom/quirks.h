// Whether a page is shown like in browsers of the nineties.
#pragma once

#include "dom/document.h"
#include "html/token/token.h"

namespace gossamer::dom {

// https://html.spec.whatwg.org/#the-initial-insertion-mode
Quirks quirks_of(const html::Doctype& doctype) noexcept;

}  // namespace gossamer::dom
