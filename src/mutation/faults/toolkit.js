// What the faults are made of: places in the page by hook, facts by what is read there, and the moments after a change.
// It runs in the page's own world before anything else does. CONFIG and FAULT stand before it.

const { hooks, items, by, listed, filter } = CONFIG;

const fold = (text) => text.replace(/\s+/g, ' ').trim().toLowerCase();
const plain = (text) => fold(text).normalize('NFD').replace(/\p{Diacritic}/gu, '');

// The document and every open shadow root, as they come.
const roots = new Set([document]);
const attachShadow = Element.prototype.attachShadow;
Element.prototype.attachShadow = function (init) {
  const root = attachShadow.call(this, init);
  if (init.mode === 'open') adopt(root);
  return root;
};

function adopt(root) {
  roots.add(root);
  watch(root);
  for (const [type, ear] of ears) root.addEventListener(type, ear, true);
}

const ears = [];
/** Hears of every event before the page does, once each; some, such as `change`, never leave their shadow root. */
function hear(type, act) {
  const heard = new WeakSet();
  const ear = (event) => {
    if (heard.has(event)) return;
    heard.add(event);
    act(event);
  };
  ears.push([type, ear]);
  addEventListener(type, ear, true);
}

const selector = (hook) => (hooks[hook] ? `[data-testid="${CSS.escape(hooks[hook])}"]` : ':not(*)');
const everywhere = (css) => [...roots].flatMap((root) => [...root.querySelectorAll(css)]);
const all = (hook) => everywhere(selector(hook));

const above = (node) => node.assignedSlot ?? node.parentNode ?? node.host ?? null;
/** The element of this hook that holds the node, through shadow roots. */
function within(node, hook) {
  for (let at = node; at; at = above(at)) if (at.matches?.(selector(hook))) return at;
  return null;
}

/** All text nodes below, as they are seen: through shadow roots and slots. */
function textsIn(node) {
  if (node.nodeType === Node.TEXT_NODE) return [node];
  if (/^(SCRIPT|STYLE|TEMPLATE)$/.test(node.nodeName)) return [];
  const inside = node.nodeName === 'SLOT' && node.assignedNodes().length ? node.assignedNodes() : (node.shadowRoot ?? node).childNodes;
  return [...inside].flatMap(textsIn);
}

const readable = (el) => fold(textsIn(el).map((node) => node.data).join(' '));

/** The fact that an element shows: the one with the longest title in its text. */
function factOf(el) {
  const text = readable(el);
  const shown = items.filter((item) => text.includes(fold(item[by])));
  return shown.sort((a, b) => b[by].length - a[by].length)[0] ?? null;
}

const isShown = (el) => el.getClientRects().length > 0;
const openDetail = () => all('detail').find(isShown) ?? null;
const openModal = () => everywhere('dialog:modal, [aria-modal="true"]').find(isShown) ?? null;

// After each change of the page, before anybody can look.
const afterwards = [];
const observer = new MutationObserver(settle);
const watch = (root) => observer.observe(root, { subtree: true, childList: true, characterData: true, attributes: true });
watch(document);

function settle() {
  if (!document.body) return;
  for (const change of afterwards) change();
  // What the faults changed themselves is not told to them again.
  observer.takeRecords();
}

function onRender(change) { afterwards.push(change); }

let effective = false;
/** Tells, once, that the fault changed something. */
function took() {
  if (effective) return;
  effective = true;
  console.debug('loupe mutate: the fault took effect');
}

/** The element of this hook at which an event happens. */
const at = (event, hook) => event.composedPath().find((el) => el.matches?.(selector(hook))) ?? null;

/** Keeps events at a hook from the page; `prevent` keeps the browser from its own answer, too. */
function deafen(hook, types, { prevent = false, when = () => true } = {}) {
  for (const type of types) {
    hear(type, (event) => {
      const el = at(event, hook);
      if (!el || !when(event, el)) return;
      event.stopImmediatePropagation();
      if (prevent) event.preventDefault();
      took();
    });
  }
}

/** Calls `act` when a person does something at a hook, before the page hears of it. */
function upon(hook, types, act) {
  for (const type of types) {
    hear(type, (event) => {
      const el = at(event, hook);
      if (el) act(el, event);
    });
  }
}

const isActivation = (event) => event.type === 'click' || event.key === 'Enter' || event.key === ' ';

const hide = (el) => {
  if (el.style.getPropertyValue('display') === 'none' && el.style.getPropertyPriority('display')) return;
  el.style.setProperty('display', 'none', 'important');
  took();
};

const sheet = new CSSStyleSheet();
/** Adds a style to the document and all shadow roots. */
function restyle(css) {
  sheet.replaceSync(css);
  const worn = () => {
    for (const root of roots) {
      if (!root.adoptedStyleSheets.includes(sheet)) root.adoptedStyleSheets = [...root.adoptedStyleSheets, sheet];
    }
    took();
  };
  onRender(worn);
  worn();
}

const once = new WeakSet();
/** Whether this is the first time that somebody asks about the object. */
const isNew = (object) => !once.has(object) && once.add(object) && true;

// The texts that were put in place of others: what the page writes anew is replaced anew.
const written = new WeakMap();
/** Replaces the text of nodes below `el` for which `change` gives another one. */
function rewrite(el, change) {
  for (const node of textsIn(el)) {
    if (written.get(node) === node.data) continue;
    const text = change(fold(node.data), node.data);
    if (text === undefined || text === node.data) continue;
    node.data = text;
    written.set(node, text);
    took();
  }
}
