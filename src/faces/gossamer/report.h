#pragma once

// For programs that use Gossamer as a library: the report of a crawl.
#include "report/collector.h"
#include "report/html_report.h"
#include "report/json_report.h"
#include "report/markdown_report.h"
#include "report/why.h"
