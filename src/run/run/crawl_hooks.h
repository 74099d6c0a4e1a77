#pragma once

#include <memory>

#include "engine/setup/options.h"
#include "settings/crawl_fields.h"

namespace gossamer::run {

// Makes the hooks of one loop: those of the user, and the fields that only some sites may receive.
crawler::Hooks hooks_of_loop(const std::shared_ptr<const CrawlFields>& fields,
                             crawler::Hooks of_user);
// Copies the user's hooks for another loop.
crawler::Hooks shared_hooks(const std::shared_ptr<crawler::Hooks>& of_user);

}  // namespace gossamer::run
