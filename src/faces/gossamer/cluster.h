#pragma once

// For programs that use Gossamer as a library: shared crawls, seen from outside (docs/cluster.md).
// A node of one is a crawl with CrawlSettings::cluster.
#include "cluster/shared_crawl.h"
#include "run/shared/shared_control.h"
#include "settings/cluster_settings.h"

namespace gossamer {

using run::add_to_shared_crawl;
using run::block_in_shared_crawl;
using run::ClusterSettings;
using run::control_shared_crawl;
using run::purge_shared_crawl;
using run::read_shared_crawl;
using run::SharedCrawlStatus;
using run::unblock_in_shared_crawl;
using SharedCrawlControl = cluster::Control;

}  // namespace gossamer
