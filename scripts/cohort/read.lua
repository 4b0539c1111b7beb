-- evaluator: 1
-- Reading: opening an item, all of it, and leaving it again, by pointer and by keyboard. It may be a page, a panel or a dialog; what
-- concerns modal dialogs only is skipped where there is none.

local all = facts[brief.hooks.item.facts]
local name = brief.hooks.item.by
local modal = "css=dialog:modal, [aria-modal=true] >> visible"

-- A list may be cut behind "show more".
local function unfold()
    while brief.hooks.more and page.visible("hook=more") do
        local before = #page.items("hook=item")
        page.click("hook=more")
        expect.settled()
        if #page.items("hook=item") == before then break end
    end
end

local function at(item)
    local place = "hook=item >> fact=" .. item.id
    if not page.visible(place) then unfold() end
    return place
end

-- The items that the page lists, in the order of the facts. That none is missing is the matter of another scenario.
local function shown()
    unfold()
    local seen, there = {}, {}
    for _, id in ipairs(page.items("hook=item")) do seen[id] = true end
    for _, item in ipairs(all) do
        if seen[item.id] then there[#there + 1] = item end
    end
    expect.that(#there > 4, "lists some of the brief's items")
    return there
end

local function open(item) return at(item) .. " >> hook=open" end

local function read(item)
    page.click(open(item))
    expect.visible("hook=detail")
    expect.contains("hook=detail", item[name])
end

local function leave()
    page.click("hook=close")
    expect.hidden("hook=detail")
end

local function read_modal(item)
    read(item)
    if not page.exists(modal) then skip("an open item is not modal here") end
end

local function inside(stop)
    for _, hook in ipairs(stop.hooks) do
        if hook == "detail" then return true end
    end
    return false
end

setup(function()
    page.open()
    expect.visible("hook=item >> visible >> nth=0")
end)

scenario("an item is opened and closed by pointer", { about = { "detail" } }, function()
    local item = shown()[4]
    read(item)
    leave()
    expect.visible(at(item))
end)

scenario("an item is opened and closed by keyboard", { about = { "keyboard", "detail" } }, function()
    local item = shown()[4]
    page.focus(open(item))
    page.press("Enter")
    expect.contains("hook=detail", item[name])
    page.focus("hook=close")
    page.press("Enter")
    expect.hidden("hook=detail")
    expect.visible(at(item))
end)

scenario("every item is complete when opened", { about = { "body" } }, function()
    for _, item in ipairs(shown()) do
        read(item)
        for _, field in ipairs(brief.params.told) do
            expect.contains("hook=detail", item[field], { soft = true, timeout = 1 })
        end
        for _, paragraph in ipairs(item.body) do
            expect.contains("hook=body", paragraph, { soft = true, timeout = 1, message = '"' .. item[name] .. '" is not complete' })
        end
        leave()
    end
end)

scenario("Escape closes a modal", { about = { "escape" } }, function()
    read_modal(shown()[3])
    page.press("Escape")
    expect.hidden("hook=detail")
end)

scenario("focus moves into a modal", { about = { "focus" } }, function()
    read_modal(shown()[3])
    expect.focus_within(modal)
end)

scenario("focus returns to what opened a modal", { about = { "focus" } }, function()
    local item = shown()[3]
    read_modal(item)
    step("closed by its control", function()
        leave()
        expect.focused(open(item))
    end)
    step("closed by Escape", function()
        page.press("Enter")
        expect.visible("hook=detail")
        page.press("Escape")
        expect.hidden("hook=detail")
        expect.focused(open(item))
    end)
end)

scenario("the page behind a modal is out of reach", { about = { "modal" } }, function()
    read_modal(shown()[3])
    for _, hook in ipairs({ "search", "saved-only" }) do
        if brief.hooks[hook] then
            expect.that(not page.operable("hook=" .. hook), hook .. " is out of reach behind the modal", { soft = true })
        end
    end
    for _, stop in ipairs(page.tab_stops(12)) do
        expect.that(inside(stop), "Tab stays inside the modal, but reaches " .. stop.name, { soft = true })
    end
end)
