#pragma once

// For programs that use Gossamer as a library: pages as trees, CSS selectors, XPath, fields, main
// text, Markdown, metadata and similar texts (docs/extract.md).
#include "content/content_text.h"
#include "content/element_text.h"
#include "content/extracted.h"
#include "content/extractor.h"
#include "content/language.h"
#include "content/main_content.h"
#include "content/markdown.h"
#include "content/metadata.h"
#include "content/text_sketch.h"
#include "dom/document.h"
#include "dom/markup.h"
#include "dom/node.h"
#include "dom/parse.h"
#include "dom/query.h"
#include "dom/selector.h"
#include "dom/xpath.h"
