--[[
flag.lua - which signal flags to hoist

--- Flags ---
Blue Peter when the ferry leaves within the hour.
]]

-- Switched off: local old = require("old")
local flags = {}
return flags
