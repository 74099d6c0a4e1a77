-- A crawl with a limit of depth goes level by level: hosts are leased with URLs of one depth, the
-- level, and URLs of other depths wait. Further keys of partition 17 of the crawl "museum":
--
--   C{museum.17}           also  d: the level, s: the step that made it the level, p: URLs that
--                                wait, z: the lowest depth of these
--   P{museum.17}           zset  the depths at which URLs wait
--   J{museum.17}D          set   the hosts of URLs that wait at depth D
--   P{museum.17}D:HOST     list  their batches: count, live, mask, the fingerprints of the live
--                                URLs, and the URLs
--   F{museum.17}D:B:HOST   set   these fingerprints, in the buckets of S, without those that were
--                                found at a lower depth since then
--
-- A URL is counted once: in "a" when it is found, in "p" while it waits, in "e" when it has ended.
-- Both "e" and "a" - "p" only grow, so the end of a level is seen like the end of a crawl.

local DEPTH_MAX = 65535
-- BOUND: batches that one call moves, since a function blocks its server.
local MOVED_MAX = 64

depths_of = function(tag, above)
  return redis.call('ZRANGEBYSCORE', 'P' .. tag, above, '+inf')
end

is_level = function(c_key, depth)
  return not depth or depth == tonumber(redis.call('HGET', c_key, 'd') or 0)
end

-- Finds the URLs of a group that wait at a greater depth, and marks them as new. Returns their
-- fingerprints by the key of their bucket, and their number.
find_nearer = function(tag, group, is_known, buckets)
  local stale, count = {}, 0
  for _, depth in ipairs(depths_of(tag, '(' .. group.depth)) do
    local seen = {}
    for fingerprint, how in pairs(is_known) do
      if how == 'seen' then seen[#seen + 1] = fingerprint end
    end
    for key, list in pairs(in_buckets('F' .. tag .. depth .. ':', group.host, seen, buckets)) do
      local waits, found = redis.call('SMISMEMBER', key, unpack(list)), {}
      for j, fingerprint in ipairs(list) do
        if waits[j] == 1 then
          is_known[fingerprint] = 'new'
          found[#found + 1] = fingerprint
        end
      end
      if #found > 0 then stale[key] = found end
      count = count + #found
    end
  end
  return stale, count
end

-- Lets URLs wait until their depth is the level.
park = function(tag, c_key, group, batch, live, buckets)
  local depth, host = group.depth, group.host
  redis.call('ZADD', 'P' .. tag, depth, depth)
  redis.call('SADD', 'J' .. tag .. depth, host)
  local head = 2 + math.ceil(batch:byte() / 8)
  redis.call('RPUSH', 'P' .. tag .. depth .. ':' .. host,
             batch:sub(1, head) .. table.concat(live) .. batch:sub(head + 1))
  for key, list in pairs(in_buckets('F' .. tag .. depth .. ':', host, live, buckets)) do
    redis.call('SADD', key, unpack(list))
  end
  local lowest = redis.call('HGET', c_key, 'z')
  if not lowest or depth < tonumber(lowest) then redis.call('HSET', c_key, 'z', depth) end
end

-- Returns the mask without URLs that were found at a lower depth, and the number of its bits.
local function mask_without(batch, fingerprints, waits)
  local bytes, live, number = {}, 0, 0
  for at = 3, 2 + math.ceil(batch:byte(1) / 8) do
    local old, new = batch:byte(at), 0
    for bit = 0, 7 do
      if math.floor(old / 2 ^ bit) % 2 == 1 then
        number = number + 1
        if waits[fingerprints[number]] then
          new = new + 2 ^ bit
          live = live + 1
        end
      end
    end
    bytes[#bytes + 1] = string.char(new)
  end
  return table.concat(bytes), live
end

-- Takes a batch that waited out of F. Returns it as it is queued, and the number of live URLs.
local function unpark(prefix, host, batch, buckets)
  local count, live = batch:byte(1, 2)
  local at, fingerprints, waits = 3 + math.ceil(count / 8), {}, {}
  for j = 1, live do
    fingerprints[j] = batch:sub(at, at + DIGITS - 1)
    at = at + DIGITS
  end
  for key, list in pairs(in_buckets(prefix, host, fingerprints, buckets)) do
    local found = redis.call('SMISMEMBER', key, unpack(list))
    for j, fingerprint in ipairs(list) do waits[fingerprint] = found[j] == 1 end
    redis.call('SREM', key, unpack(list))
  end
  local mask, left = mask_without(batch, fingerprints, waits)
  return string.char(count, left) .. mask .. batch:sub(at), left
end

-- Queues batches of a host that waited, at most `most`. Returns their number.
local function unpark_host(tag, c_key, depth, host, most, time)
  local p_key, live = 'P' .. tag .. depth .. ':' .. host, 0
  local facts = found_facts(read_facts(tag, {host})[1])
  local batches = redis.call('LRANGE', p_key, 0, most - 1)
  for _, batch in ipairs(batches) do
    local queued, left = unpark('F' .. tag .. depth .. ':', host, batch, facts.buckets)
    if left > 0 then redis.call('RPUSH', 'Q' .. tag .. host, queued) end
    live = live + left
  end
  if #batches > 0 then redis.call('LTRIM', p_key, #batches, -1) end
  if #batches < most then redis.call('SREM', 'J' .. tag .. depth, host) end
  if live > 0 then
    redis.call('HINCRBY', c_key, 'p', -live)
    if facts.waiting == 0 and not is_leased(facts) then
      redis.call('ZADD', 'R' .. tag, math.max(time, tonumber(facts.moment)), host)
    end
    facts.waiting = facts.waiting + live
    write_facts(tag, {host, found_text(facts)})
  end
  return math.max(1, #batches)
end

-- add_at(C; depth, hosts, groups) is add() for URLs of that depth. A URL that waits at a greater
-- depth is new, too.
local function add_at(keys, args)
  local tag, refusal = partition(keys, args)
  if not tag then return refusal end
  local depth = whole(table.remove(args, 1), DEPTH_MAX)
  if not depth then return wrong('a depth') end
  return add_groups(tag, keys, args, depth)
end

-- step(C; step, level) makes a depth the level, and queues the URLs that wait for it. Returns 1
-- when all are queued; until then it is called again. Earlier steps do nothing.
local function step(keys, args)
  local tag, refusal = partition(keys, args)
  if not tag then return refusal end
  local number, depth = whole(args[1], 2 ^ 52), whole(args[2], DEPTH_MAX)
  if not number or not depth then return wrong('arguments of a step') end
  if number <= tonumber(redis.call('HGET', keys[1], 's') or 0) then return 1 end
  redis.call('HSET', keys[1], 'd', depth)
  local time, left, j_key = now(), MOVED_MAX, 'J' .. tag .. depth
  while left > 0 do
    local host = redis.call('SRANDMEMBER', j_key)
    if not host then break end
    left = left - unpark_host(tag, keys[1], depth, host, left, time)
  end
  if redis.call('SCARD', j_key) > 0 then return 0 end
  redis.call('ZREM', 'P' .. tag, depth)
  local lowest = redis.call('ZRANGE', 'P' .. tag, 0, 0)[1]
  if lowest then redis.call('HSET', keys[1], 'z', lowest) else redis.call('HDEL', keys[1], 'z') end
  redis.call('HSET', keys[1], 's', number)
  return 1
end

redis.register_function('g4_add_at', add_at)
redis.register_function{function_name = 'g4_step', callback = step, flags = {'allow-oom'}}
