#pragma once

// For programs that use Gossamer as a library: pages as trees, CSS selectors, fields by selectors,
// main text, Markdown, metadata and similar texts (docs/extract.md).
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
#include "dom/node.h"
#include "dom/parse.h"
#include "dom/selector.h"
