#pragma once

// For programs that use Gossamer as a library: tasks, their failures, and time.
#include "async/task.h"
#include "base/result.h"
#include "base/time.h"
