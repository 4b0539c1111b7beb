-- evaluator: 1
-- Forma: the photographs of the brief are shown where an activity is listed and where it is open, really loaded, and described.

local file = {}
for _, photograph in ipairs(facts.photographs) do file[photograph.id] = photograph.file:gsub("%.%w+$", "") end

-- The natural width of the picture in this box, in whatever shadow root it lies; after a moment, if there is nothing to see yet.
local WIDTH = [[(box) => {
    const inside = (root) => [...root.querySelectorAll('*')].flatMap((el) => [el, ...(el.shadowRoot ? inside(el.shadowRoot) : [])]);
    const near = (one) => ['x', 'y', 'width', 'height'].every((side) => Math.abs(one[side] - box[side]) < 2);
    const there = inside(document).filter((el) => el.localName === 'img' && near(el.getBoundingClientRect()));
    const width = Math.max(0, ...there.map((img) => (img.complete ? img.naturalWidth : 0)));
    return width || new Promise((go) => setTimeout(go, 100, 0));
}]]

-- Looks at an activity's photograph in `place`, by its file's name. It may come, and load, only when it is scrolled to.
local function look(activity, place, where, seen)
    local img = ('img[src*="%s"], img[srcset*="%s"], picture:has([srcset*="%s"]) img'):gsub("%%s", file[activity.photo])
    img = place .. " >> css=" .. img .. " >> visible >> nth=0"
    page.scroll(place)
    pcall(page.wait_for, img, "attached", { timeout = 3 })
    local there = page.visible(img)
    if there then page.scroll(img) end
    seen(there, img, activity.title .. ", " .. where)
end

-- Every listed activity, and of those that share a photograph one opened. That none is missing is the matter of another scenario.
local function everywhere(seen)
    page.open()
    expect.visible("hook=item >> visible >> nth=0")
    while page.visible("hook=more") do page.click("hook=more") end
    local at, opened = {}, {}
    for _, id in ipairs(page.items("hook=item")) do at[id] = "hook=item >> fact=" .. id end
    for _, activity in ipairs(facts.activities) do
        if at[activity.id] then look(activity, at[activity.id], "listed", seen) end
        if at[activity.id] and not opened[activity.photo] then
            opened[activity.photo] = true
            page.click(at[activity.id] .. " >> hook=open")
            expect.contains("hook=detail", activity.title)
            look(activity, "hook=detail", "opened", seen)
            page.click("hook=close")
            expect.hidden("hook=detail")
        end
    end
end

scenario("the photographs are shown, listed and opened", { about = { "images" }, timeout = 90 }, function()
    everywhere(function(there, img, where)
        local tries = there and 0 or 30
        while tries < 30 and page.evaluate(WIDTH, page.box(img)) == 0 do tries = tries + 1 end
        expect.that(tries < 30, where .. ": its photograph is loaded", { soft = true })
    end)
end)

scenario("the photographs have alternative texts", { about = { "names" }, timeout = 90 }, function()
    everywhere(function(there, img, where)
        local text = there and (page.attribute(img, "alt") or page.attribute(img, "aria-label") or "")
        expect.that(not text or text:match("%S") ~= nil, where .. ": its photograph has an alternative text", { soft = true })
    end)
end)
