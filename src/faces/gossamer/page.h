#pragma once

// For programs that use Gossamer as a library: pages from bytes to links, facts and text, and the
// rules of robots.txt and sitemaps.
#include "html/encoding/stream.h"
#include "html/link_list.h"
#include "html/page_reader.h"
#include "html/resource_reader.h"
#include "html/xml_reader.h"
#include "robots/page_rules.h"
#include "robots/robots.h"
#include "robots/sitemap.h"
