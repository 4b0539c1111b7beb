---@meta
-- Generated from the table of words; do not edit.

---@type table<string, any>
brief = {}

---@type table<string, any>
facts = {}

---@type table<string, any>
viewport = {}

---@class loupe.scenario.options
---@field timeout? number Seconds for the whole scenario; the study's usual time if left out.
---@field viewports? string[] The viewports, by name, where it applies; all if left out.
---@field about? string[] The topics it is about, such as `search` or `focus`; `loupe mutate` asks who is about a fault.

---Declares an independent check of the flow. It runs from a fresh browser state of its own, at every viewport where it applies.
---@param title string What it checks, as a sentence; unique in its file.
---@param options? loupe.scenario.options Where it applies and how long it may take.
---@param body fun(): any What it does.
---@overload fun(title: string, body: fun(): any): nil
function scenario(title, options, body) end

---Declares what runs before each scenario of the file, in the same fresh browser state. Several run in their order.
---@param body fun(): any What it does.
function setup(body) end

---Names a part of a scenario, so that records and reports can tell where things went wrong.
---@param name string What this part does.
---@param body fun(): any What it does; its result is the result of `step`.
---@return any
function step(name, body) end

---Ends the scenario as skipped. Nothing can catch it.
---@param reason string Why the scenario does not apply here.
function skip(reason) end

---Ends the scenario as failed.
---@param message string What the artifact does not do.
function fail(message) end

---Records an observation. It never changes an outcome.
---@param text string What was observed.
---@param data? any Figures that go with it.
function note(text, data) end

---@class loupe.page
page = {}

---@class loupe.page.open.options
---@field timeout? number Seconds to wait; the study's usual time if left out.

---Opens a page and waits until its document is interactive, and then up to 3 s for its `load` event. It does not wait for a quiet network: expectations wait for what they need.
---@param path? string A path on the artifact's origin, or an address; the start page if left out.
---@param options? loupe.page.open.options How long to wait.
function page.open(path, options) end

---@class loupe.page.back.options
---@field timeout? number Seconds to wait; the study's usual time if left out.

---Goes back in the history. Returns false if there was nowhere to go.
---@param options? loupe.page.back.options How long to wait.
---@return boolean
function page.back(options) end

---@class loupe.page.forward.options
---@field timeout? number Seconds to wait; the study's usual time if left out.

---Goes forward in the history. Returns false if there was nowhere to go.
---@param options? loupe.page.forward.options How long to wait.
---@return boolean
function page.forward(options) end

---@class loupe.page.reload.options
---@field timeout? number Seconds to wait; the study's usual time if left out.

---Loads the document again; storage stays.
---@param options? loupe.page.reload.options How long to wait.
function page.reload(options) end

---@class loupe.page.wait_for_popup.options
---@field timeout? number Seconds to wait; the study's usual time if left out.

---Waits for the next page that this one opens and goes on there; returns its address. `page.close()` comes back.
---@param options? loupe.page.wait_for_popup.options How long to wait.
---@return string
function page.wait_for_popup(options) end

---Leaves a page that was reached by `page.wait_for_popup` and goes on with the one that opened it.
function page.close() end

---Changes the size of the viewport for the rest of the scenario; the kind of device stays.
---@param width integer Width in CSS px.
---@param height integer Height in CSS px.
function page.viewport(width, height) end

---@class loupe.page.emulate.preferences
---@field dark? boolean `prefers-color-scheme: dark`.
---@field reduced_motion? boolean `prefers-reduced-motion: reduce`.
---@field more_contrast? boolean `prefers-contrast: more`.
---@field forced_colors? boolean `forced-colors: active`.
---@field print? boolean `print` instead of `screen`.
---@field mobile? boolean A phone: touch, coarse pointer, no hover, a mobile user agent.

---Changes what the page's visitor prefers, for the rest of the scenario. What is left out stays as it is.
---@param preferences loupe.page.emulate.preferences What the page's visitor prefers.
function page.emulate(preferences) end

---Says how the page's `confirm` and `prompt` are answered from now on; until then they are dismissed. Every dialog is recorded.
---@param answer string `accept`, `dismiss`, or `answer: TEXT` to accept a prompt with a text.
function page.on_dialog(answer) end

---The address of the page, as the page itself sees it now.
---@return string
function page.url() end

---The title of the document, white space collapsed.
---@return string
function page.title() end

---@class loupe.page.click.options
---@field timeout? number Seconds to wait; the study's usual time if left out.
---@field force? boolean Click also where something covers the element or nothing proves that it was hit.

---Clicks an element; on a mobile viewport it is a tap. Fails with the covering element's name if something else would receive it.
---@param locator string Which element; exactly one must match.
---@param options? loupe.page.click.options How long to wait, and how strictly.
function page.click(locator, options) end

---@class loupe.page.double_click.options
---@field timeout? number Seconds to wait; the study's usual time if left out.
---@field force? boolean Click also where something covers the element or nothing proves that it was hit.

---Clicks an element twice in a row.
---@param locator string Which element; exactly one must match.
---@param options? loupe.page.double_click.options How long to wait, and how strictly.
function page.double_click(locator, options) end

---@class loupe.page.hover.options
---@field timeout? number Seconds to wait; the study's usual time if left out.

---Rests the pointer on an element.
---@param locator string Which element; exactly one must match.
---@param options? loupe.page.hover.options How long to wait.
function page.hover(locator, options) end

---@class loupe.page.fill.options
---@field timeout? number Seconds to wait; the study's usual time if left out.

---Replaces the text of a field, as pasting would. Dates, colours, numbers and ranges take their value form.
---@param locator string Which element; exactly one must match.
---@param text string The text.
---@param options? loupe.page.fill.options How long to wait.
function page.fill(locator, text, options) end

---@class loupe.page.clear.options
---@field timeout? number Seconds to wait; the study's usual time if left out.

---Empties a field: selects all and deletes.
---@param locator string Which element; exactly one must match.
---@param options? loupe.page.clear.options How long to wait.
function page.clear(locator, options) end

---@class loupe.page.type.options
---@field timeout? number Seconds to wait; the study's usual time if left out.

---Types into a field key by key, where its caret is. What no US key gives comes as from an input method.
---@param locator string Which element; exactly one must match.
---@param text string The text.
---@param options? loupe.page.type.options How long to wait.
function page.type(locator, text, options) end

---@class loupe.page.press.options
---@field timeout? number Seconds to wait; the study's usual time if left out.

---Presses and releases a key.
---@param key string `Enter`, `Escape`, `Tab`, `a`, `Shift+Tab`, `Control+A`, …
---@param locator? string Which element gets the focus first; where the focus is if left out.
---@param options? loupe.page.press.options How long to wait.
function page.press(key, locator, options) end

---@class loupe.page.check.options
---@field timeout? number Seconds to wait; the study's usual time if left out.

---Ticks a checkbox, radio button or switch by clicking it, unless it is ticked already.
---@param locator string Which element; exactly one must match.
---@param options? loupe.page.check.options How long to wait.
function page.check(locator, options) end

---@class loupe.page.uncheck.options
---@field timeout? number Seconds to wait; the study's usual time if left out.

---Unticks a checkbox or switch by clicking it, unless it is unticked already.
---@param locator string Which element; exactly one must match.
---@param options? loupe.page.uncheck.options How long to wait.
function page.uncheck(locator, options) end

---@class loupe.page.select.options
---@field timeout? number Seconds to wait; the study's usual time if left out.

---Chooses options of a `<select>`.
---@param locator string Which element; exactly one must match.
---@param choice string|string[] The option's value or label, or several.
---@param options? loupe.page.select.options How long to wait.
function page.select(locator, choice, options) end

---@class loupe.page.choose.options
---@field timeout? number Seconds to wait; the study's usual time if left out.

---Chooses by name, as the page lets a person choose: an option of a `<select>`, or a click on the radio button, chip, tab or link called so.
---@param locator string The group, or the `<select>` itself; exactly one must match.
---@param name string What is chosen, by its name; a count may follow the name on the page.
---@param options? loupe.page.choose.options How long to wait.
function page.choose(locator, name, options) end

---@class loupe.page.scroll.options
---@field timeout? number Seconds to wait; the study's usual time if left out.

---Brings an element into view.
---@param locator string Which element; exactly one must match.
---@param options? loupe.page.scroll.options How long to wait.
function page.scroll(locator, options) end

---Scrolls the document.
---@param y number CSS px from the top of the document.
function page.scroll_to(y) end

---@class loupe.page.focus.options
---@field timeout? number Seconds to wait; the study's usual time if left out.

---Gives an element the focus.
---@param locator string Which element; exactly one must match.
---@param options? loupe.page.focus.options How long to wait.
function page.focus(locator, options) end

---@class loupe.page.upload.options
---@field timeout? number Seconds to wait; the study's usual time if left out.

---Gives files to an `<input type=file>`. Their contents are in the script, which reaches no disk.
---@param locator string Which element; exactly one must match.
---@param files table<string, any>[] The files: `name` and `text` of each.
---@param options? loupe.page.upload.options How long to wait.
function page.upload(locator, files, options) end

---@class loupe.page.text.options
---@field timeout? number Seconds to wait; the study's usual time if left out.

---The text of an element as it can be read: white space collapsed, hidden parts left out, case as in the document.
---@param locator string Which element; exactly one must match.
---@param options? loupe.page.text.options How long to wait.
---@return string
function page.text(locator, options) end

---The texts of all matching elements, in document order.
---@param locator string Which elements; none, one, or several may match.
---@return string[]
function page.texts(locator) end

---@class loupe.page.value.options
---@field timeout? number Seconds to wait; the study's usual time if left out.

---What a control holds: a string, or a list for a `<select multiple>`.
---@param locator string Which element; exactly one must match.
---@param options? loupe.page.value.options How long to wait.
---@return any
function page.value(locator, options) end

---@class loupe.page.attribute.options
---@field timeout? number Seconds to wait; the study's usual time if left out.

---An attribute of an element, or nothing if it has none of that name.
---@param locator string Which element; exactly one must match.
---@param name string The attribute's name.
---@param options? loupe.page.attribute.options How long to wait.
---@return any
function page.attribute(locator, name, options) end

---@class loupe.page.style.options
---@field timeout? number Seconds to wait; the study's usual time if left out.

---A computed style of an element.
---@param locator string Which element; exactly one must match.
---@param property string The CSS property, as in `background-color`.
---@param options? loupe.page.style.options How long to wait.
---@return string
function page.style(locator, property, options) end

---@class loupe.page.box.options
---@field timeout? number Seconds to wait; the study's usual time if left out.

---Where an element is: `x`, `y`, `width` and `height` in CSS px, from the top left of the viewport.
---@param locator string Which element; exactly one must match.
---@param options? loupe.page.box.options How long to wait.
---@return table<string, any>
function page.box(locator, options) end

---@class loupe.page.focused.options
---@field timeout? number Seconds to wait; the study's usual time if left out.

---Whether an element has the focus now.
---@param locator string Which element; exactly one must match.
---@param options? loupe.page.focused.options How long to wait.
---@return boolean
function page.focused(locator, options) end

---The element that has the focus: `tag`, `role`, `name`, `testid`, `text` and more; nothing if it is on the page as a whole.
---@return any
function page.active() end

---How many elements match, seen or not. Counting conceals wrong results: prefer `page.items`.
---@param locator string Which elements; none, one, or several may match.
---@return integer
function page.count(locator) end

---The identities of the *seen* elements that match, in document order: the id of the fact whose text the element shows, or the hook's identity attribute, or its text, as the brief declares.
---@param locator string Which elements; none, one, or several may match.
---@return string[]
function page.items(locator) end

---Whether any element matches, seen or not.
---@param locator string Which elements; none, one, or several may match.
---@return boolean
function page.exists(locator) end

---Whether a matching element is seen: it has a box, some opacity, and is not clipped away. Below the fold is seen.
---@param locator string Which elements; none, one, or several may match.
---@return boolean
function page.visible(locator) end

---Whether a matching element could be used now: seen, enabled, not inert, and what a pointer would hit.
---@param locator string Which elements; none, one, or several may match.
---@return boolean
function page.operable(locator) end

---@class loupe.page.wait_for.options
---@field timeout? number Seconds to wait; the study's usual time if left out.

---Waits until a matching element is in a state. To judge, prefer `expect`.
---@param locator string Which elements; none, one, or several may match.
---@param state? "visible"|"hidden"|"attached"|"detached"|"operable" What to wait for; `visible` if left out.
---@param options? loupe.page.wait_for.options How long to wait.
function page.wait_for(locator, state, options) end

---Runs JavaScript in the page's own world, awaits its promise, and returns its result as plain data.
---@param code string JavaScript: an expression, a program, or a function that is called with `arg`.
---@param arg? any Plain data for the function.
---@return any
function page.evaluate(code, arg) end

---The dialogs so far: `type`, `message`, `accepted`.
---@return table<string, any>[]
function page.dialogs() end

---The uncaught errors and unhandled rejections so far.
---@return string[]
function page.errors() end

---The console messages so far: `level`, `text`.
---@return table<string, any>[]
function page.console() end

---Everything the page asked for so far: `url`, `resource`, `status`, `bytes`, `failed`, `remote` (another origin than the artifact's).
---@return table<string, any>[]
function page.requests() end

---Presses Tab, from where the focus is, until it leaves the page or comes round. Gives each stop: `role`, `name`, `hooks` (those of the brief that hold it), `fact` (the one they show), and its box in the document: `x`, `y`, `width`, `height`.
---@param most? integer After how many stops to end; 250 if left out.
---@return table<string, any>[]
function page.tab_stops(most) end

---@class loupe.expect
expect = {}

---@class loupe.expect.visible.options
---@field timeout? number Seconds to wait; the study's usual time if left out.
---@field soft? boolean Record the failure and go on; the scenario fails at its end.
---@field message? string What to say instead of the usual first line.

---Expects an element to be seen.
---@param locator string Which element; exactly one must match.
---@param options? loupe.expect.visible.options How long to wait and how to fail.
---@return boolean
function expect.visible(locator, options) end

---@class loupe.expect.hidden.options
---@field timeout? number Seconds to wait; the study's usual time if left out.
---@field soft? boolean Record the failure and go on; the scenario fails at its end.
---@field message? string What to say instead of the usual first line.

---Expects that no matching element is seen; one that does not exist is hidden.
---@param locator string Which elements; none, one, or several may match.
---@param options? loupe.expect.hidden.options How long to wait and how to fail.
---@return boolean
function expect.hidden(locator, options) end

---@class loupe.expect.text.options
---@field timeout? number Seconds to wait; the study's usual time if left out.
---@field soft? boolean Record the failure and go on; the scenario fails at its end.
---@field message? string What to say instead of the usual first line.

---Expects an element's whole text.
---@param locator string Which element; exactly one must match.
---@param text string The text; case and white space do not matter.
---@param options? loupe.expect.text.options How long to wait and how to fail.
---@return boolean
function expect.text(locator, text, options) end

---@class loupe.expect.contains.options
---@field timeout? number Seconds to wait; the study's usual time if left out.
---@field soft? boolean Record the failure and go on; the scenario fails at its end.
---@field message? string What to say instead of the usual first line.

---Expects an element's text to contain a text.
---@param locator string Which element; exactly one must match.
---@param text string The text; case and white space do not matter.
---@param options? loupe.expect.contains.options How long to wait and how to fail.
---@return boolean
function expect.contains(locator, text, options) end

---@class loupe.expect.value.options
---@field timeout? number Seconds to wait; the study's usual time if left out.
---@field soft? boolean Record the failure and go on; the scenario fails at its end.
---@field message? string What to say instead of the usual first line.

---Expects what a control holds.
---@param locator string Which element; exactly one must match.
---@param value any The value, or a list of values.
---@param options? loupe.expect.value.options How long to wait and how to fail.
---@return boolean
function expect.value(locator, value, options) end

---@class loupe.expect.count.options
---@field timeout? number Seconds to wait; the study's usual time if left out.
---@field soft? boolean Record the failure and go on; the scenario fails at its end.
---@field message? string What to say instead of the usual first line.

---Expects a number of matching elements, seen or not. Counting conceals wrong results: prefer `expect.items`.
---@param locator string Which elements; none, one, or several may match.
---@param count integer How many.
---@param options? loupe.expect.count.options How long to wait and how to fail.
---@return boolean
function expect.count(locator, count, options) end

---@class loupe.expect.items.options
---@field timeout? number Seconds to wait; the study's usual time if left out.
---@field soft? boolean Record the failure and go on; the scenario fails at its end.
---@field message? string What to say instead of the usual first line.
---@field ordered? boolean Whether their order matters; it does not if left out.

---Expects exactly these identities among the *seen* elements; see `page.items`.
---@param locator string Which elements; none, one, or several may match.
---@param ids string[] The identities; their order does not matter unless `ordered`.
---@param options? loupe.expect.items.options How long to wait and how to compare.
---@return boolean
function expect.items(locator, ids, options) end

---@class loupe.expect.url.options
---@field timeout? number Seconds to wait; the study's usual time if left out.
---@field soft? boolean Record the failure and go on; the scenario fails at its end.
---@field message? string What to say instead of the usual first line.

---Expects the page's address, from its path on, or its fragment, to fit a pattern.
---@param pattern string An address, path or fragment; `*` stands for anything.
---@param options? loupe.expect.url.options How long to wait and how to fail.
---@return boolean
function expect.url(pattern, options) end

---@class loupe.expect.title.options
---@field timeout? number Seconds to wait; the study's usual time if left out.
---@field soft? boolean Record the failure and go on; the scenario fails at its end.
---@field message? string What to say instead of the usual first line.

---Expects the document's title.
---@param text string The text; case and white space do not matter.
---@param options? loupe.expect.title.options How long to wait and how to fail.
---@return boolean
function expect.title(text, options) end

---@class loupe.expect.focused.options
---@field timeout? number Seconds to wait; the study's usual time if left out.
---@field soft? boolean Record the failure and go on; the scenario fails at its end.
---@field message? string What to say instead of the usual first line.

---Expects an element to have the focus; it is found anew as long as that takes, for pages that draw it again.
---@param locator string Which element; exactly one must match.
---@param options? loupe.expect.focused.options How long to wait and how to fail.
---@return boolean
function expect.focused(locator, options) end

---@class loupe.expect.enabled.options
---@field timeout? number Seconds to wait; the study's usual time if left out.
---@field soft? boolean Record the failure and go on; the scenario fails at its end.
---@field message? string What to say instead of the usual first line.

---Expects a control to be enabled.
---@param locator string Which element; exactly one must match.
---@param options? loupe.expect.enabled.options How long to wait and how to fail.
---@return boolean
function expect.enabled(locator, options) end

---@class loupe.expect.disabled.options
---@field timeout? number Seconds to wait; the study's usual time if left out.
---@field soft? boolean Record the failure and go on; the scenario fails at its end.
---@field message? string What to say instead of the usual first line.

---Expects a control to be disabled.
---@param locator string Which element; exactly one must match.
---@param options? loupe.expect.disabled.options How long to wait and how to fail.
---@return boolean
function expect.disabled(locator, options) end

---@class loupe.expect.checked.options
---@field timeout? number Seconds to wait; the study's usual time if left out.
---@field soft? boolean Record the failure and go on; the scenario fails at its end.
---@field message? string What to say instead of the usual first line.

---Expects a checkbox, radio button, switch or toggle to be on.
---@param locator string Which element; exactly one must match.
---@param options? loupe.expect.checked.options How long to wait and how to fail.
---@return boolean
function expect.checked(locator, options) end

---@class loupe.expect.unchecked.options
---@field timeout? number Seconds to wait; the study's usual time if left out.
---@field soft? boolean Record the failure and go on; the scenario fails at its end.
---@field message? string What to say instead of the usual first line.

---Expects a checkbox, radio button, switch or toggle to be off.
---@param locator string Which element; exactly one must match.
---@param options? loupe.expect.unchecked.options How long to wait and how to fail.
---@return boolean
function expect.unchecked(locator, options) end

---@class loupe.expect.attribute.options
---@field timeout? number Seconds to wait; the study's usual time if left out.
---@field soft? boolean Record the failure and go on; the scenario fails at its end.
---@field message? string What to say instead of the usual first line.

---Expects an attribute of an element.
---@param locator string Which element; exactly one must match.
---@param name string The attribute.
---@param value string Its value.
---@param options? loupe.expect.attribute.options How long to wait and how to fail.
---@return boolean
function expect.attribute(locator, name, value, options) end

---@class loupe.expect.no_overflow.options
---@field timeout? number Seconds to wait; the study's usual time if left out.
---@field soft? boolean Record the failure and go on; the scenario fails at its end.
---@field message? string What to say instead of the usual first line.

---Expects that a person cannot scroll the page sideways; names what sticks out.
---@param options? loupe.expect.no_overflow.options How long to wait and how to fail.
---@return boolean
function expect.no_overflow(options) end

---@class loupe.expect.settled.options
---@field timeout? number Seconds to wait; the study's usual time if left out.
---@field soft? boolean Record the failure and go on; the scenario fails at its end.
---@field message? string What to say instead of the usual first line.

---Expects the page to come to rest: loaded, fonts and images ready, nothing changing for half a second.
---@param options? loupe.expect.settled.options How long to wait and how to fail.
---@return boolean
function expect.settled(options) end

---@class loupe.expect.no_errors.options
---@field soft? boolean Record the failure and go on; the scenario fails at its end.
---@field message? string What to say instead of the usual first line.

---Expects no uncaught error and no unhandled rejection so far.
---@param options? loupe.expect.no_errors.options How to fail.
---@return boolean
function expect.no_errors(options) end

---@class loupe.expect.equal.options
---@field soft? boolean Record the failure and go on; the scenario fails at its end.
---@field message? string What to say instead of the usual first line.

---Expects two values to be equal; whole numbers equal floats of the same value.
---@param actual any What is.
---@param expected any What should be.
---@param options? loupe.expect.equal.options How to fail.
---@return boolean
function expect.equal(actual, expected, options) end

---@class loupe.expect.that.options
---@field soft? boolean Record the failure and go on; the scenario fails at its end.
---@field message? string What to say instead of the usual first line.

---Expects a condition of the script's own.
---@param condition boolean What should be true.
---@param claim string The claim, as a sentence.
---@param options? loupe.expect.that.options How to fail.
---@return boolean
function expect.that(condition, claim, options) end

---@class loupe.expect.choice.options
---@field timeout? number Seconds to wait; the study's usual time if left out.
---@field soft? boolean Record the failure and go on; the scenario fails at its end.
---@field message? string What to say instead of the usual first line.

---Expects a group to tell what is chosen: a selected option, a checked radio button, a pressed, selected or current chip, tab or link.
---@param locator string The group, or the `<select>` itself; exactly one must match.
---@param name string What is to be chosen; a count may follow the name on the page.
---@param options? loupe.expect.choice.options How long to wait and how to fail.
---@return boolean
function expect.choice(locator, name, options) end

---@class loupe.expect.focus_within.options
---@field timeout? number Seconds to wait; the study's usual time if left out.
---@field soft? boolean Record the failure and go on; the scenario fails at its end.
---@field message? string What to say instead of the usual first line.

---Expects the focus to be on an element or on something inside it.
---@param locator string Which element; exactly one must match.
---@param options? loupe.expect.focus_within.options How long to wait and how to fail.
---@return boolean
function expect.focus_within(locator, options) end

---@class loupe.expect.focus_visible.options
---@field timeout? number Seconds to wait; the study's usual time if left out.
---@field soft? boolean Record the failure and go on; the scenario fails at its end.
---@field message? string What to say instead of the usual first line.

---Expects that a person sees when the keyboard brings the focus to an element: pictures with and without it differ in at least as many pixels as half its outline is long. The caret of a field does not count.
---@param locator string Which element; exactly one must match.
---@param options? loupe.expect.focus_visible.options How long to wait and how to fail.
---@return boolean
function expect.focus_visible(locator, options) end

---@class loupe.expect.target_size.options
---@field timeout? number Seconds to wait; the study's usual time if left out.
---@field soft? boolean Record the failure and go on; the scenario fails at its end.
---@field message? string What to say instead of the usual first line.

---Expects at least one *seen* element, and every one to be large enough for a finger; a label counts with its control.
---@param locator string Which elements; none, one, or several may match.
---@param px number The least width and height, in CSS px; WCAG 2.2 (2.5.8) asks for 24.
---@param options? loupe.expect.target_size.options How long to wait and how to fail.
---@return boolean
function expect.target_size(locator, px, options) end

---@class loupe.expect.no_motion.options
---@field timeout? number Seconds to wait; the study's usual time if left out.
---@field soft? boolean Record the failure and go on; the scenario fails at its end.
---@field message? string What to say instead of the usual first line.

---Expects that nothing keeps moving: no animation that runs on for more than five seconds (WCAG 2.2.2). Say `page.emulate` with `reduced_motion` before. What a script moves by itself is not noticed.
---@param options? loupe.expect.no_motion.options How long to wait and how to fail.
---@return boolean
function expect.no_motion(options) end

---@class loupe.expect.accessible.options
---@field soft? boolean Record the failure and go on; the scenario fails at its end.
---@field message? string What to say instead of the usual first line.

---Expects that axe-core finds no violation in any frame of the page as it is now, its finite animations finished: WCAG 2.2 A and AA, and best practice. What it cannot decide *needs review*: that is recorded, and neither passes nor fails. Without axe-core it is an error of the harness; `loupe setup` installs it.
---@param state string What the state of the page is called: `initial`, `detail`, `empty`, `saved`, …
---@param options? loupe.expect.accessible.options How to fail.
---@return boolean
function expect.accessible(state, options) end

---@class loupe.capture
capture = {}

---Freezes the page as it is now, for checks and reports: boxes, texts, styles, roles, and pictures. It comes to rest first, but is not scrolled through.
---@param name string What this state is called; unique in its scenario.
function capture.take(name) end

---Takes a picture of the viewport as it is now.
---@param name string What the picture is called; unique in its scenario.
function capture.shot(name) end

---@class loupe.stats
stats = {}

---The arithmetic mean.
---@param values number[] The values; at least one.
---@return number
function stats.mean(values) end

---The middle value, or the mean of the two middle ones.
---@param values number[] The values; at least one.
---@return number
function stats.median(values) end

---A proportion with its Wilson score interval: `estimate`, `low`, `high`. Honest for small numbers, where "estimate ± error" is not.
---@param successes integer How many succeeded.
---@param trials integer Of how many; at least 1.
---@param level? number The confidence level; 0.95 if left out.
---@return table<string, any>
function stats.wilson(successes, trials, level) end
