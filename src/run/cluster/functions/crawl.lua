-- What belongs to the crawl as a whole. The keys of the crawl "museum":
--
--   G{museum}   hash    v: layout, i: identity, s: settings, r: replicas to wait for,
--                       q: pages left, o: pages that nodes were given and have not used,
--                       c: control (run, pause, stop), b: the roots are queued,
--                       e: why it ended, f: frozen, while its slot is moved,
--                       k: the number of steps to other levels, d: the level
--   M{museum}   zset    node -> the moment at which it was last there
--   N{museum}   hash    node -> its report
--   O{museum}   list    orders for all nodes, in JSON; they only grow
--   W{museum}   set     URLs to which roots redirect; they only grow
--   L{museum}   hash    "g:" and a node -> pages that it was given, "u:" -> that it used
--   A{museum.a5}  zset  address -> the next free moment, unless that has passed

local NODES_MAX = 10000
local ORDERS_MAX = 10000
local ORDER_BYTES_MAX = 16384
local ROOT_PLACES_MAX = 10000

-- Returns the tag of the crawl, or nil and the error.
local function crawl(keys)
  local tag = #keys == 1 and keys[1]:match('^G({[%w_.-]+})$')
  if not tag then return nil, wrong('not the key of a crawl') end
  if redis.call('HEXISTS', keys[1], 'f') == 1 then
    return nil, redis.error_reply('FROZEN ' .. tag .. ' is being moved')
  end
  return tag
end

-- The same for a crawl that the server must have. Takes its identity, the last argument.
local function known_crawl(keys, args)
  local tag, refusal = crawl(keys)
  if not tag then return nil, refusal end
  local identity = table.remove(args)
  if not identity or redis.call('HGET', keys[1], 'i') ~= identity then
    return nil, redis.error_reply('GONE the server has lost the crawl')
  end
  return tag
end

-- Notes the pages that a node was given and has used.
local function set_pages(tag, node, given, used)
  local known = redis.call('HMGET', 'L' .. tag, 'g:' .. node, 'u:' .. node)
  local before = math.max(0, tonumber(known[1] or 0) - tonumber(known[2] or 0))
  local unused = math.max(0, given - used)
  redis.call('HSET', 'L' .. tag, 'g:' .. node, given, 'u:' .. node, used)
  if unused ~= before then redis.call('HINCRBY', 'G' .. tag, 'o', unused - before) end
end

-- Gives back the pages that a node did not use, and forgets the node. A node that is only silent
-- may come back, so the pages that it used stay known.
local function forget(tag, node, is_gone)
  local known = redis.call('HMGET', 'L' .. tag, 'g:' .. node, 'u:' .. node)
  local given, used = tonumber(known[1] or 0), tonumber(known[2] or 0)
  if given > used then
    set_pages(tag, node, used, used)
    if redis.call('HEXISTS', 'G' .. tag, 'q') == 1 then
      redis.call('HINCRBY', 'G' .. tag, 'q', given - used)
    end
  end
  if is_gone or used == 0 then redis.call('HDEL', 'L' .. tag, 'g:' .. node, 'u:' .. node) end
  redis.call('HDEL', 'N' .. tag, node)
  redis.call('ZREM', 'M' .. tag, node)
end

-- Forgets nodes that were not there for this long.
local function forget_lost(tag, lost_after)
  local lost = redis.call('ZRANGEBYSCORE', 'M' .. tag, '-inf', '(' .. (now() - lost_after),
                          'LIMIT', 0, 100)
  for _, node in ipairs(lost) do forget(tag, node) end
end

-- The node has used this many of its pages. The number only grows, so an old call changes nothing.
local function note_used(tag, node, used)
  local known = redis.call('HMGET', 'L' .. tag, 'g:' .. node, 'u:' .. node)
  if known[1] and used > tonumber(known[2] or 0) then
    set_pages(tag, node, tonumber(known[1]), used)
  end
end

local function facts_of(tag, is_brief)
  -- The settings are long if there are many roots, and nodes know them.
  local settings = is_brief and '-' or 's'
  local facts = redis.call('HMGET', 'G' .. tag, 'v', settings, 'r', 'c', 'b', 'e', 'q', 'i', 'o')
  for j = 1, 9 do facts[j] = facts[j] or '' end
  facts[10] = redis.call('ZCARD', 'M' .. tag)
  facts[11] = redis.call('LLEN', 'O' .. tag)
  return facts
end

-- join(G; node, layout, settings, replicas, pages, identity) returns the facts of the crawl. The
-- first node that has settings decides them. A node of another layout or with other settings does
-- not join; it reads that in the facts.
local function join(keys, args)
  local tag, refusal = crawl(keys)
  if not tag then return refusal end
  local node, layout, settings = args[1], args[2], args[3]
  local replicas, pages, identity = whole(args[4], 100), args[5], args[6]
  if not node or node == '' or not layout or not settings or not replicas or not identity
      or not pages or (pages ~= '' and not whole(pages, 2 ^ 52)) then
    return wrong('arguments of a node')
  end
  local known = redis.call('HMGET', keys[1], 'v', 's')
  local is_other = settings ~= '' and known[2] and known[2] ~= settings
  if known[1] and (known[1] ~= layout or is_other) then return facts_of(tag) end
  if redis.call('ZCARD', 'M' .. tag) >= NODES_MAX then return wrong('too many nodes') end
  if settings ~= '' and not known[2] then
    redis.call('HSET', keys[1], 'v', layout, 'i', identity, 's', settings, 'r', replicas,
               'c', 'run')
    if pages ~= '' then redis.call('HSET', keys[1], 'q', pages) end
  end
  redis.call('ZADD', 'M' .. tag, now(), node)
  return facts_of(tag)
end

-- beat(G; node, report, lost_after, used, identity) says that the node is there, and forgets those
-- that have not been for that time. Returns the facts.
local function beat(keys, args)
  local tag, refusal = known_crawl(keys, args)
  if not tag then return refusal end
  local node, report, lost_after = args[1], args[2], whole(args[3], 86400000)
  local used = whole(args[4], 2 ^ 52)
  if not node or node == '' or not report or not lost_after or not used then
    return wrong('arguments of a beat')
  end
  note_used(tag, node, used)
  redis.call('ZADD', 'M' .. tag, now(), node)
  redis.call('HSET', 'N' .. tag, node, report)
  forget_lost(tag, lost_after)
  return facts_of(tag, true)
end

-- leave(G; node, used, lost_after, identity): the node gives back the pages that it did not use.
local function leave(keys, args)
  local tag, refusal = known_crawl(keys, args)
  if not tag then return refusal end
  local used, lost_after = whole(args[2], 2 ^ 52), whole(args[3], 86400000)
  if not args[1] or args[1] == '' or not used or not lost_after then
    return wrong('arguments of a node')
  end
  note_used(tag, args[1], used)
  forget(tag, args[1], true)
  forget_lost(tag, lost_after)
  return 1
end

-- quota(G; node, given, used, identity): the node wants `given` pages in total and has used `used`
-- of them. If it has more, it gives the rest back. Both are absolute, so it may be repeated.
-- Returns the pages it has been given in total.
local function quota(keys, args)
  local tag, refusal = known_crawl(keys, args)
  if not tag then return refusal end
  local node, wanted, used = args[1], whole(args[2], 2 ^ 52), whole(args[3], 2 ^ 52)
  if not node or node == '' or not wanted or not used then return wrong('arguments of a quota') end
  local known = redis.call('HMGET', 'L' .. tag, 'g:' .. node, 'u:' .. node)
  local given = tonumber(known[1] or 0)
  used = math.max(used, tonumber(known[2] or 0))
  local left = redis.call('HGET', keys[1], 'q')
  local more = wanted - given
  if more < 0 then more = math.min(0, math.max(wanted, used) - given) end
  if left then more = math.min(more, tonumber(left)) end
  if left and more ~= 0 then redis.call('HINCRBY', keys[1], 'q', -more) end
  set_pages(tag, node, given + more, used)
  return given + more
end

local WORDS = {run = true, pause = true, stop = true}

-- control(G; word, identity): run, pause or stop. A crawl that has stopped does not run again.
local function control(keys, args)
  local tag, refusal = known_crawl(keys, args)
  if not tag then return refusal end
  if not WORDS[args[1]] then return wrong('not a word of control') end
  if redis.call('HGET', keys[1], 'c') == 'stop' and args[1] ~= 'stop' then return 0 end
  redis.call('HSET', keys[1], 'c', args[1])
  return 1
end

-- begin(G; identity) says that the roots are queued.
local function begin(keys, args)
  local tag, refusal = known_crawl(keys, args)
  if not tag then return refusal end
  redis.call('HSET', keys[1], 'b', 1)
  return 1
end

-- order(G; order, identity) appends an order. Returns the number of orders, or 0 if the crawl has
-- ended or was stopped, so that no node would execute it.
local function order(keys, args)
  local tag, refusal = known_crawl(keys, args)
  if not tag then return refusal end
  if not args[1] or args[1] == '' or #args[1] > ORDER_BYTES_MAX then return wrong('an order') end
  local facts = redis.call('HMGET', keys[1], 'e', 'c')
  if facts[1] or facts[2] == 'stop' then return 0 end
  if redis.call('LLEN', 'O' .. tag) >= ORDERS_MAX then return wrong('too many orders') end
  return redis.call('RPUSH', 'O' .. tag, args[1])
end

-- widen(G; url, ...) adds URLs to which roots redirect, as many as there is room for.
local function widen(keys, args)
  local tag, refusal = crawl(keys)
  if not tag then return refusal end
  if #args == 0 then return wrong('no URL') end
  local room = ROOT_PLACES_MAX - redis.call('SCARD', 'W' .. tag)
  for j = 1, #args do
    if room > 0 then room = room - redis.call('SADD', 'W' .. tag, args[j]) end
  end
  return 1
end

-- finish(G; reason, orders, identity) returns 1 to the first caller, 0 to all others. A node that
-- has not executed all orders cannot end the crawl: an order can add URLs. It can if the crawl was
-- stopped, or at the page limit.
local function finish(keys, args)
  local tag, refusal = known_crawl(keys, args)
  if not tag then return refusal end
  local orders = whole(args[2], ORDERS_MAX)
  if not args[1] or args[1] == '' or not orders then return wrong('arguments of an end') end
  local facts = redis.call('HMGET', keys[1], 'e', 'c')
  if facts[1] then return 0 end
  local is_over = facts[2] == 'stop' or args[1] == 'page_limit'
  if not is_over and redis.call('LLEN', 'O' .. tag) > orders then
    return redis.error_reply('PENDING there are orders that this node has not executed')
  end
  redis.call('HSET', keys[1], 'e', args[1])
  return 1
end

-- level(G; step, depth, identity): a node has seen that the level before this step has ended, and
-- wants this depth as the next one. The first one decides. Returns the last step and its level.
-- Step 0 only reads.
local function level(keys, args)
  local tag, refusal = known_crawl(keys, args)
  if not tag then return refusal end
  local number, depth = whole(args[1], 2 ^ 52), whole(args[2], DEPTH_MAX)
  if not number or not depth then return wrong('arguments of a level') end
  local facts = redis.call('HMGET', keys[1], 'k', 'd')
  local last = tonumber(facts[1] or 0)
  -- A failover may have lost the last steps here, but not in the partitions.
  if number <= last then return {last, tonumber(facts[2] or 0)} end
  redis.call('HSET', keys[1], 'k', number, 'd', depth)
  return {number, depth}
end

-- reserve(A; address, gap, moments) reserves moments for requests to an address, `gap` apart.
-- Returns the milliseconds until the first one. Forgets a few addresses whose moment has passed.
local function reserve(keys, args)
  local gap, moments = whole(args[2], 86400000), whole(args[3], 10000)
  if #keys ~= 1 or not keys[1]:match('^A({[%w_.-]+})$') or not args[1] or not gap
      or not moments then
    return wrong('arguments of a reservation')
  end
  local time = now()
  local past = redis.call('ZRANGEBYSCORE', keys[1], '-inf', '(' .. time, 'LIMIT', 0, 10)
  if #past > 0 then redis.call('ZREM', keys[1], unpack(past)) end
  redis.call('ZADD', keys[1], 'GT', time, args[1])
  local last = redis.call('ZADD', keys[1], 'INCR', gap * moments, args[1])
  return tonumber(last) - gap * moments - time
end

redis.register_function{function_name = 'g4_join', callback = join, flags = {'allow-oom'}}
redis.register_function{function_name = 'g4_beat', callback = beat, flags = {'allow-oom'}}
redis.register_function{function_name = 'g4_leave', callback = leave, flags = {'allow-oom'}}
redis.register_function{function_name = 'g4_quota', callback = quota, flags = {'allow-oom'}}
redis.register_function{function_name = 'g4_control', callback = control, flags = {'allow-oom'}}
redis.register_function{function_name = 'g4_begin', callback = begin, flags = {'allow-oom'}}
redis.register_function('g4_order', order)
redis.register_function('g4_widen', widen)
redis.register_function{function_name = 'g4_finish', callback = finish, flags = {'allow-oom'}}
redis.register_function{function_name = 'g4_level', callback = level, flags = {'allow-oom'}}
redis.register_function{function_name = 'g4_reserve', callback = reserve, flags = {'allow-oom'}}
