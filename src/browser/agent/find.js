// Locators: from parsed steps to elements. One element is meant where a word acts on one; hidden twins do not count then.
//
// Parsing is Rust's part. Nothing here waits: the callers ask again until they are satisfied.

/** What went wrong, as data that a reply carries. */
class Trouble {
  constructor(error, message, candidates = []) {
    Object.assign(this, { error, message, candidates });
  }
}

/**
 * The elements that the steps match below the document. `trail` says how to treat hooks and learns what became of
 * them: {known: names that were seen before, patient: whether a missing hook is still waited for, either: hook and
 * fallback together, hook: {name, state, used_fallback, fallback}}.
 */
function find(steps, trail, from = [document]) {
  let scopes = from;
  for (const step of steps) {
    const expand = EXPAND[step.by];
    if (!expand && !FILTER[step.by]) throw new Trouble('bad-locator', `unknown locator step "${step.by}"`);
    scopes = expand ? unique(scopes.flatMap((scope) => expand(scope, step, trail))) : FILTER[step.by](scopes, step);
    if (!scopes.length) break;
  }
  return scopes;
}

const unique = (elements) => [...new Set(elements)];

const EXPAND = {
  css: (scope, { value }) => byCss(scope, value),
  hook: byHook,
  role: byRole,
  text: byText,
  label: byLabel,
  placeholder: (scope, step) => byAttribute(scope, 'placeholder', step),
  title: (scope, step) => byAttribute(scope, 'title', step),
  alt: (scope, step) => byAttribute(scope, 'alt', step),
  choice: byChoice,
};

const FILTER = {
  nth: (elements, { index }) => [elements.at(index)].filter(Boolean),
  'has-text': (elements, want) => elements.filter((el) => textFits(textsUnder(el).texts.get(el), want)),
  fact: (elements, { id, names }) => {
    const ordered = byLength(names);
    return elements.filter((el) => factOf(visibleText(el), ordered) === id);
  },
  visible: (elements) => elements.filter((el) => seen(el).ok),
};

function byCss(scope, css) {
  try {
    return query(scope, css);
  } catch (error) {
    if (!(error instanceof DOMException)) throw error;
    throw new Trouble('bad-locator', `"${css}" is not a CSS selector`);
  }
}

// The hooks that this document was seen to have.
const met = new Set();

function byHook(scope, step, trail) {
  const found = query(scope, `[data-testid="${CSS.escape(step.testid)}"]`);
  if (found.length && scope === document) met.add(step.name);
  const report = (state, fallback) => {
    if (trail.hook?.state !== 'missing') trail.hook = { name: step.name, state, used_fallback: fallback !== null, fallback };
  };
  if (found.length) {
    report('found', null);
    return found;
  }
  // A hook that was here and is gone is no missing hook: the page took its control away.
  const gone = trail.known.has(step.name) || (scope === document && met.has(step.name));
  const may = !gone && (trail.either || !trail.patient);
  for (const { text, steps } of may ? step.fallback : []) {
    const instead = find(steps, trail, [scope]);
    if (!instead.length) continue;
    report('missing', text);
    return instead;
  }
  report('missing', null);
  return [];
}

function byRole(scope, { role, name, attrs }) {
  if (!ROLES.has(role)) throw new Trouble('bad-locator', `"${role}" is not a role`);
  return query(scope, roleSelector(role)).filter((el) => roleOf(el) === role && statesFit(el, attrs)
    && (!name || textFits(nameOf(el), name)) && silentBecause(el) === null);
}

/** The innermost elements whose text fits. */
function byText(scope, want) {
  const { elements, texts } = textsUnder(scope);
  const needle = fold(want.text);
  const holding = new Map();
  for (const el of elements) {
    const parent = flatParent(el);
    // An element can only hold the text if its parent does.
    if (parent && parent !== scope && texts.has(parent) && !holding.has(parent)) continue;
    const text = fold(texts.get(el));
    if (text.includes(needle)) holding.set(el, want.exact ? text === needle : true);
  }
  const outer = new Set();
  for (const [el, fits] of holding) if (fits) outer.add(flatParent(el));
  return [...holding].filter(([el, fits]) => fits && !outer.has(el)).map(([el]) => el);
}

const LABELLED = 'button, input:not([type=hidden]), meter, output, progress, select, textarea, [aria-label], [aria-labelledby]';

function byLabel(scope, want) {
  return query(scope, LABELLED).filter((el) => {
    const texts = labelsOf(el).map((label) => nameIn(label, { seen: new Set([el]), depth: 0, referenced: true, content: true }));
    texts.push(attributeOf(el, 'aria-label') ?? '', referredName(el, 'aria-labelledby'));
    return texts.some((text) => text.trim() && textFits(text, want));
  });
}

const CHOICES = new Set(['radio', 'menuitemradio', 'option', 'tab', 'button', 'link', 'checkbox', 'menuitem', 'switch']);

/** In a group, or in the one control that the scope is: what is used to choose by name. A count may follow the name. */
function byChoice(scope, want) {
  const inside = scope === document ? [] : [scope];
  const controls = [...inside, ...query(scope, 'select, input, button, a, [role]')];
  return controls.filter((el) => (el instanceof HTMLSelectElement
    ? [...el.options].some(({ label }) => isCalled(label, want.text)) : CHOICES.has(roleOf(el)) && isCalled(nameOf(el), want.text)));
}

/** Whether a control is called so; how many there are may follow, as in `Harbours (5)`. */
const isCalled = (name, wanted) => [name, name.replace(/[\s(\u00b7:,]*\d+\)?$/, '')].some((text) => fold(text) === fold(wanted));

const byAttribute = (scope, name, want) => query(scope, `[${name}]`).filter((el) => textFits(attributeOf(el, name), want));

/** The one element that is meant; throws `Trouble` if there is none or more than one that counts. */
function findOne(request, trail) {
  const elements = find(request.at.steps, trail);
  if (elements.length === 1) return elements[0];
  if (!elements.length) throw nothing(request, trail);
  // A menu for phones beside one for desks, of which only one shows, is no ambiguity.
  const shown = first(6, elements, (el) => seen(el).ok);
  if (shown.length === 1) return shown[0];
  const last = request.at.steps.at(-1);
  const hook = last.by === 'hook';
  if (hook && trail.hook.used_fallback) {
    const { name, fallback } = trail.hook;
    Object.assign(trail.hook, { used_fallback: false, fallback: null });
    throw new Trouble('missing-hook', `hook "${name}" is missing, and its fallback ${fallback} matches ${elements.length} elements`, elements.slice(0, 5).map(describe));
  }
  const doubled = hook ? last.name : doubledHook(request.at.steps, trail);
  if (doubled) trail.hook = { name: doubled, state: 'ambiguous', used_fallback: false, fallback: null };
  const many = shown.length ? shown : elements;
  throw new Trouble(doubled ? 'ambiguous-hook' : 'ambiguous', `${request.at.text} matches ${elements.length} elements`, many.slice(0, 5).map(describe));
}

/** The hook on the way that stands at several elements of one place, or at several that show one fact; null if none does. */
function doubledHook(steps, trail) {
  let scopes = [document];
  for (const [i, step] of steps.entries()) {
    const chosen = ['nth', 'has-text', 'visible', 'fact'].includes(steps[i + 1]?.by);
    if (step.by === 'hook' && !chosen && scopes.some((scope) => byHook(scope, step, trail).length > 1)) return step.name;
    scopes = find([step], trail, scopes);
    if (step.by === 'fact' && !chosen && scopes.length > 1) return steps[i - 1].name;
  }
  return null;
}

/** The first few that fit, without asking the others. */
function first(most, elements, fits) {
  const found = [];
  for (const el of elements) if (found.length < most && fits(el)) found.push(el);
  return found;
}

function nothing(request, trail) {
  const hook = trail.hook?.state === 'missing' && !trail.hook.used_fallback ? trail.hook.name : null;
  if (hook) return new Trouble('missing-hook', `hook "${hook}" is missing: nothing matches ${request.at.text}`);
  return new Trouble('missing', `nothing matches ${request.at.text}`);
}

/**
 * Who the *seen* matched elements are: a fact's id, a declared attribute, or their text. Where facts are declared, what
 * shows none of them is passed over: what an artifact adds of its own is no wrong answer.
 */
function identities(request, trail) {
  const hook = request.at.steps.findLast((step) => step.by === 'hook');
  const names = byLength(hook?.names ?? []);
  const shown = find(request.at.steps, trail).filter((el) => seen(el).ok);
  if (!names.length) return shown.map((el) => (hook?.identity && attributeOf(el, hook.identity)) || visibleText(el));
  return shown.map((el) => factOf(visibleText(el), names)).filter((id) => id !== null);
}

/** The longest name first: one title may contain another. */
const byLength = (names) => names.map(([id, name]) => [id, fold(name)]).filter(([, name]) => name).sort((a, b) => b[1].length - a[1].length);

const factOf = (text, names) => {
  const hay = fold(text);
  return names.find(([, name]) => hay.includes(name))?.[0] ?? null;
};

/** The text that is rendered, with the DOM's letters; all of the text if the element itself is not rendered. */
function visibleText(el) {
  const all = !rendered(el).ok;
  const skip = (child) => isUnread(child) || (!all && isGone(child));
  return collapse(textsUnder(el, skip).texts.get(el));
}

const isGone = (el) => !checkVisibility(el, { visibilityProperty: true }) && styleOf(el).display !== 'contents' && !hasVisiblePart(el);
// visibility: hidden can be lifted by a descendant.
const hasVisiblePart = (el) => checkVisibility(el) && querySelectorAll(el, '*').some((inner) => checkVisibility(inner, { visibilityProperty: true }));
