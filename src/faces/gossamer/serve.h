#pragma once

// For programs that use Gossamer as a library: archives in a browser, their captures, replay.
#include "captures/collection.h"
#include "captures/missing_parts.h"
#include "serve/replay.h"
#include "serve/server.h"
