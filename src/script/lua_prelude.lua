-- What Lua's own library has to do differently here, given the engine's functions in `engine`. It deliberately adds
-- nothing that Lua does not have: words come from the vocabulary.
local engine = ...

-- An error that nothing may swallow goes on; of the others a script gets the message.
local function settle(ok, ...)
  if ok then
    return true, ...
  end
  return false, engine.caught((...))
end

local own_pcall, own_xpcall = pcall, xpcall
function pcall(f, ...)
  return settle(own_pcall(f, ...))
end
function xpcall(f, handler, ...)
  return settle(own_xpcall(f, function(err)
    return handler(engine.caught(err))
  end, ...))
end

local own_resume, own_close = coroutine.resume, coroutine.close
function coroutine.resume(co, ...)
  return settle(own_resume(co, ...))
end
function coroutine.close(co)
  return settle(own_close(co))
end

local own_next, entries, sort, type, tostring = next, engine.entries, table.sort, type, tostring
function next(t, key)
  return own_next(entries(t), key)
end

local order = { number = 1, string = 2 }
local function earlier(a, b)
  local ta, tb = type(a), type(b)
  if ta ~= tb or not order[ta] then
    return (order[ta] or 3) < (order[tb] or 3)
  end
  return a < b
end

-- Sorted, because the order of a table differs from run to run, and an examination must not.
function pairs(t)
  local keys = {}
  for key in own_next, entries(t) do
    keys[#keys + 1] = key
  end
  sort(keys, earlier)
  local i = 0
  return function()
    while true do
      i = i + 1
      local key = keys[i]
      if key == nil then
        return nil
      end
      local value = t[key]
      if value ~= nil then
        return key, value
      end
    end
  end, t, nil
end

local note, concat, select = engine.note, table.concat, select
function print(...)
  local texts = {}
  for i = 1, select("#", ...) do
    texts[i] = tostring((select(i, ...)))
  end
  note(concat(texts, "\t"))
end

-- Repeating nothing never ends, inside a call that cannot be interrupted.
local own_rep = string.rep
function string.rep(s, n, sep)
  if s == "" and (sep == nil or sep == "") then
    return ""
  end
  return own_rep(s, n, sep)
end

require = engine.require
dofile, loadfile, load, collectgarbage, warn = nil, nil, nil, nil, nil
string.dump = nil
math.random, math.randomseed = nil, nil
