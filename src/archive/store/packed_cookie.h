#pragma once

#include "base/packing.h"
#include "wire/cookie.h"

namespace gossamer::store {

// Writes all fields of a cookie.
void pack_cookie(Packer& row, const wire::Cookie& cookie);
// Reads what pack_cookie() wrote. The caller checks whether the row is good.
wire::Cookie unpack_cookie(Unpacker& row);

}  // namespace gossamer::store
