#pragma once

// For programs that use Gossamer as a library: pages as trees, CSS selectors, and fields by
// selectors (docs/extract.md).
#include "content/element_text.h"
#include "content/extracted.h"
#include "content/extractor.h"
#include "dom/document.h"
#include "dom/node.h"
#include "dom/parse.h"
#include "dom/selector.h"
