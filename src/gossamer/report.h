#pragma once

// For programs that use Gossamer as a library: what a crawl found, summed up.
#include "report/collector.h"
#include "report/html_report.h"
#include "report/json_report.h"
#include "report/markdown_report.h"
#include "report/why.h"
