-- The magazine, used as a reader would: see all, search, choose, read, leave, save, recover.
-- Articles are compared by who they are, never by how many. The open article may be a page, a panel or a dialog; what concerns dialogs
-- only is skipped where there is none. A search or category that outlives a visit to an article is not held against anybody.
-- The same scenarios and steps as flow.rhai, word for word.

local articles = facts.articles

-- Ids of the articles for which `keep` is true.
local function ids(keep)
    local found = {}
    for _, article in ipairs(articles) do
        if keep(article) then table.insert(found, article.id) end
    end
    return found
end

local function every() return true end

local function by_id(id)
    for _, article in ipairs(articles) do
        if article.id == id then return article end
    end
end

-- The list item that shows an article now; places change with every filter, so it is looked up each time.
local function item(article)
    page.wait_for("hook=article >> has-text=" .. article.title .. " >> visible >> nth=0")
    for place, id in ipairs(page.items("hook=article")) do
        if id == article.id then return "hook=article >> visible >> nth=" .. (place - 1) end
    end
    fail('"' .. article.title .. '" is not in the list')
end

local function listed(wanted)
    expect.items("hook=article", wanted, { soft = true, timeout = 2 })
end

local function choose(category)
    if page.exists("hook=category >> option") then
        page.select("hook=category", category)
    else
        page.click("hook=category >> text=" .. category)
    end
end

local function read(article)
    page.click(item(article) .. " >> hook=open")
    expect.visible("hook=detail")
end

local function leave()
    page.click("hook=close")
    expect.hidden("hook=detail")
end

local function save(article)
    local button = item(article) .. " >> hook=save"
    page.click(button)
    expect.attribute(button, "aria-pressed", "true")
end

local function read_in_dialog(article)
    read(article)
    if not page.exists("role=dialog") then skip("the open article is not a dialog") end
end

setup(function()
    page.open()
    expect.visible("hook=article >> visible >> nth=0")
end)

scenario("every article is listed", function()
    expect.items("hook=article", ids(every))
end)

scenario("using the page raises no script error", function()
    page.fill("hook=search", "the")
    choose("Harbours")
    choose("All")
    page.fill("hook=search", "")
    save(articles[2])
    read(articles[1])
    leave()
    page.click("hook=saved-only")
    expect.items("hook=article", { articles[2].id })
    expect.no_errors()
end)

scenario("everything is loaded from the artifact itself", function()
    read(articles[1])
    expect.settled()
    for _, request in ipairs(page.requests()) do
        expect.that(not request.remote, "asks another host for " .. request.url, { soft = true })
    end
end)

scenario("nothing scrolls sideways", function()
    step("list", function() expect.no_overflow({ soft = true }) end)
    step("longest title", function()
        read(by_id("winter-port-errol"))
        expect.no_overflow({ soft = true })
        leave()
    end)
    step("nothing found", function()
        page.fill("hook=search", "no such title")
        expect.visible("hook=empty")
        expect.no_overflow({ soft = true })
    end)
end)

scenario("an article is found by its whole title", function()
    for _, article in ipairs(articles) do
        page.fill("hook=search", article.title)
        listed(ids(function(other) return string.find(other.title, article.title, 1, true) end))
    end
end)

scenario("a part of a title is found in any case", function()
    for _, typed in ipairs({ "ferry", "FERRY", "fErRy" }) do
        page.fill("hook=search", typed)
        listed({ "night-ferry", "night-ferry-ardvoe" })
    end
    page.fill("hook=search", "")
    expect.visible("hook=article >> has-text=patience")
end)

scenario("a title is found without its accents", function()
    page.fill("hook=search", "cafe called zenith")
    listed({ "cafe-zenith" })
    page.fill("hook=search", "zaneta")
    listed({ "net-mender" })
end)

scenario("each category shows its own articles", function()
    for _, category in ipairs({ "Harbours", "Craft", "Table", "Weather", "Letters" }) do
        choose(category)
        listed(ids(function(article) return article.category == category end))
    end
end)

scenario("search and category work together", function()
    page.fill("hook=search", "ferry")
    choose("Harbours")
    expect.items("hook=article", { "night-ferry" })
    choose("Letters")
    expect.items("hook=article", { "night-ferry-ardvoe" })
    page.fill("hook=search", "")
    expect.items("hook=article", ids(function(article) return article.category == "Letters" end))
end)

scenario("an empty result says so and leads back", function()
    choose("Table")
    page.fill("hook=search", "no such title")
    expect.items("hook=article", {})
    expect.visible("hook=empty")
    page.click("hook=show-all")
    expect.items("hook=article", ids(every))
    expect.hidden("hook=empty")
    expect.value("hook=search", "")
end)

scenario("an article is opened and closed by pointer", function()
    local article = articles[3]
    read(article)
    expect.contains("hook=detail", article.title)
    leave()
    item(article)
end)

scenario("an article is opened and closed by keyboard", function()
    local article = articles[3]
    page.focus(item(article) .. " >> hook=open")
    page.press("Enter")
    expect.contains("hook=detail", article.title)
    page.focus("hook=close")
    page.press("Enter")
    expect.hidden("hook=detail")
    item(article)
end)

scenario("every listed article is complete when opened", function()
    for _, id in ipairs(page.items("hook=article")) do
        local article = by_id(id)
        read(article)
        for _, paragraph in ipairs(article.body) do
            expect.contains("hook=detail", paragraph, { soft = true, timeout = 1, message = '"' .. article.title .. '" is not complete' })
        end
        leave()
    end
end)

scenario("Escape closes a dialog", function()
    read_in_dialog(articles[2])
    page.press("Escape")
    expect.hidden("hook=detail")
end)

scenario("focus returns to what opened a dialog", function()
    local article = articles[2]
    read_in_dialog(article)
    leave()
    expect.focused(item(article) .. " >> hook=open")
end)

scenario("the page behind a dialog is out of reach", function()
    read_in_dialog(articles[2])
    for _, control in ipairs({ "search", "saved-only" }) do
        expect.that(not page.operable("hook=" .. control), control .. " can be used behind the dialog", { soft = true })
    end
end)

scenario("a listed article is saved and taken back", function()
    local article = articles[2]
    save(article)
    local button = item(article) .. " >> hook=save"
    page.click(button)
    expect.attribute(button, "aria-pressed", "false")
end)

scenario("the saved view shows what was saved and nothing else", function()
    local chosen = { "winter-port-errol", "cafe-zenith", "net-mender", "pilot-boat", "tomorrow" }
    for _, id in ipairs(chosen) do
        page.click(item(by_id(id)) .. " >> hook=save")
    end
    page.click("hook=saved-only")
    expect.items("hook=article", chosen)
    page.click("hook=saved-only")
    item(articles[1])
end)

scenario("what was saved is kept while moving about", function()
    local article = articles[4]
    read(article)
    page.click("hook=detail >> hook=save")
    expect.attribute("hook=detail >> hook=save", "aria-pressed", "true")
    leave()
    read(articles[5])
    leave()
    page.fill("hook=search", "ferry")
    page.fill("hook=search", "")
    page.click("hook=saved-only")
    expect.items("hook=article", { article.id })
end)

scenario("taking back the last saved article empties the saved view", function()
    local article = articles[2]
    save(article)
    page.click("hook=saved-only")
    expect.items("hook=article", { article.id })
    page.click(item(article) .. " >> hook=save")
    expect.items("hook=article", {})
    expect.visible("hook=empty")
    page.click("hook=show-all")
    item(article)
end)

scenario("the last saved article can be taken back while it is read", function()
    local article = articles[2]
    save(article)
    page.click("hook=saved-only")
    read(article)
    page.click("hook=detail >> hook=save")
    expect.settled()
    -- Some close the article by themselves now, and may.
    if page.visible("hook=detail") then leave() end
    expect.items("hook=article", {})
end)
