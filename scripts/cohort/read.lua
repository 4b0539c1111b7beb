-- evaluator: 1
-- Reading: opening an item, all of it, and leaving it again, by pointer and by keyboard. It may be a page, a panel or a dialog; what
-- concerns modal dialogs only is skipped where there is none.

local all = facts[brief.hooks.item.facts]
local name = brief.hooks.item.by

-- A list may be cut behind "show more".
local function at(item)
    local place = "hook=item >> fact=" .. item.id
    while brief.hooks.more and not page.visible(place) and page.visible("hook=more") do
        page.click("hook=more")
        expect.settled()
    end
    return place
end

local function open(item) return at(item) .. " >> hook=open" end

local function read(item)
    page.click(open(item))
    expect.contains("hook=detail", item[name])
end

local function leave()
    page.click("hook=close")
    expect.hidden("hook=detail")
end

local function read_modal(item)
    page.click(open(item))
    expect.visible("hook=detail")
    if not page.exists("css=dialog:modal, [aria-modal=true] >> visible") then skip("an open item is not modal here") end
end

setup(function()
    page.open()
    expect.visible("hook=item >> visible >> nth=0")
end)

scenario("an item is opened and closed by pointer", { about = { "detail" } }, function()
    read(all[3])
    leave()
    expect.visible(at(all[3]))
end)

scenario("an item is opened and closed by keyboard", { about = { "keyboard", "detail" } }, function()
    page.focus(open(all[3]))
    page.press("Enter")
    expect.contains("hook=detail", all[3][name])
    page.focus("hook=close")
    page.press("Enter")
    expect.hidden("hook=detail")
    expect.visible(at(all[3]))
end)

scenario("every item is complete when opened", { about = { "body" } }, function()
    for _, item in ipairs(all) do
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
    read_modal(all[2])
    page.press("Escape")
    expect.hidden("hook=detail")
end)

scenario("focus moves into a modal", { about = { "focus" } }, function()
    page.focus(open(all[2]))
    page.press("Enter")
    expect.visible("hook=detail")
    if not page.exists("css=dialog:modal, [aria-modal=true] >> visible") then skip("an open item is not modal here") end
    expect.focus_within("css=dialog:modal, [aria-modal=true] >> visible")
end)

scenario("focus returns to what opened a modal", { about = { "focus" } }, function()
    read_modal(all[2])
    step("closed by its control", function()
        leave()
        expect.focused(open(all[2]))
    end)
    step("closed by Escape", function()
        page.press("Enter")
        expect.visible("hook=detail")
        page.press("Escape")
        expect.hidden("hook=detail")
        expect.focused(open(all[2]))
    end)
end)

scenario("the page behind a modal is out of reach", { about = { "modal" } }, function()
    read_modal(all[2])
    for _, hook in ipairs({ "search", "saved-only" }) do
        if brief.hooks[hook] then
            expect.that(not page.operable("hook=" .. hook), hook .. " is out of reach behind the modal", { soft = true })
        end
    end
    for _, stop in ipairs(page.tab_stops(12)) do
        expect.that(#stop.hooks > 0, "Tab stays inside the modal, but reaches " .. stop.name, { soft = true })
    end
end)
