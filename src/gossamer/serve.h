#pragma once

// For programs that use Gossamer as a library: archives in a browser, their captures, replay.
#include "serve/collection.h"
#include "serve/replay.h"
#include "serve/server.h"
