// Freezing: the rendered page as flat plain data, in one walk over the tree that is painted.
//
// Coordinates are document pixels. The walk keeps its own stack (trees may be thousands deep) and asks the full
// question "is it seen?" only where something on the way could hide an element. It deliberately judges nothing and
// changes nothing; bringing the page to rest is still.js.

const MOST_ELEMENTS = 20_000;
const MOST_CHARACTERS = 300;
// The full question climbs to the root; a hostile tree may make it ask this many steps in all.
const MOST_STEPS = 400_000;
const NEVER_RENDERED = new Set('head script style template noscript meta link title base option optgroup datalist source track param'.split(' '));
const KEPT_ATTRIBUTES = new Set(('role type href src alt title name placeholder for lang dir tabindex disabled hidden inert open '
  + 'required readonly multiple target rel action method contenteditable controls autoplay loop colspan rowspan').split(' '));
const NAMELESS = new Set(('generic none presentation paragraph list listitem document emphasis strong code deletion insertion term '
  + 'definition time subscript superscript separator blockquote caption rowgroup row cell').split(' '));

const attributesOf = getterOf(Element, 'attributes');
const byTag = methodOf(Element, 'getElementsByTagName');
const frameDocumentOf = getterOf(HTMLIFrameElement, 'contentDocument');
const rounded = (number) => Math.round(number * 100) / 100;
const boxOf = ({ left, top, width, height }, { dx, dy }) => [rounded(left + dx), rounded(top + dy), rounded(width), rounded(height)];

/** Elements before anybody scrolled: element -> {box, why, opacity}. */
let resting = null;
/** Nodes that Rust asks the browser about: a text node per font, and elements that may hold a closed shadow tree. */
let asked = { texts: [], hosts: [] };

const FREEZE = { rest: freezeRest, full: freezeFull, settle, hold, release, sweep, drawn, asked: () => [...asked.texts, ...asked.hosts] };
const freeze = (options) => FREEZE[options.phase](options);

/** Remembers how everything looks before anybody scrolls. */
function freezeRest() {
  resting = new Map();
  walk((el, at) => void resting.set(el, { box: at.box, why: at.why, opacity: Number(at.style.opacity) }));
  return JSON.stringify({ elements: resting.size });
}

/** The whole page as JSON in the shape of Rust's `Capture`. */
function freezeFull({ properties, compare }) {
  if (!compare) resting = null;
  const indices = new Map();
  const styles = new Styles(properties);
  const text = new Texts(styles);
  const facts = new Facts(styles, indices);
  const elements = [];
  const gone = resting && new Map(resting);
  const { truncated, guessed } = walk((el, at) => {
    gone?.delete(el);
    const index = elements.push(elementData(el, at, styles)) - 1;
    indices.set(el, index);
    if (at.style.display === 'none') return;
    at.texts.forEach((node) => text.add(node, index, at));
    facts.add(el, index, at);
  });
  asked = { texts: text.samples, hosts: facts.hosts.map(([el]) => el) };
  const page = { ...facts.page(), truncated, guessed, vanished: gone ? [...gone.values()].filter(({ box }) => box).length : 0 };
  const data = { page, elements, styles: styles.table(), colours: styles.colours(), runs: text.runs, fonts: text.fonts, ...facts.lists() };
  resting = null;
  return JSON.stringify({ capture: data, hosts: facts.hosts.map(([, index]) => index) });
}

/** Visits every rendered element, parents first: `visit(el, {parent, frame, style, box, why, texts})`. */
function walk(visit) {
  const budget = { steps: MOST_STEPS, guessed: 0 };
  const stack = [{ el: documentElementOf(document), parent: null, frame: topFrame() }];
  let count = 0;
  while (stack.length && count < MOST_ELEMENTS) {
    const at = stack.pop();
    const { el, frame } = at;
    at.style = styleOf(el);
    at.index = count++;
    const shown = at.style.display !== 'none';
    const rect = shown && at.style.display !== 'contents' ? rectOf(el) : null;
    at.box = rect && (hasArea(rect) || rectsOf(el).length) ? boxOf(rect, frame) : null;
    at.why = shown ? whyUnseen(el, at, rect, budget) : 'display: none';
    const inside = shown ? insideOf(el, at) : null;
    at.texts = [];
    const next = [];
    if (inside) {
      for (const child of inside.nodes) {
        if (isText(child)) {
          if (child.data.trim()) at.texts.push(child);
        } else if (isElement(child) && !NEVER_RENDERED.has(localNameOf(child))) {
          next.push({ el: child, parent: at, frame: inside.frame });
        }
      }
    }
    visit(el, at);
    // Only the way up is needed from here on.
    at.texts = null;
    stack.push(...next.reverse());
  }
  return { truncated: stack.reduce((sum, { el }) => sum + 1 + byTag(el, '*').length, 0), guessed: budget.guessed };
}

const topFrame = () => {
  const { overflowX, overflowY } = viewportOverflow();
  const root = scrollingElementOf(document) ?? documentElementOf(document);
  const far = (overflow, size, view) => (/hidden|clip/.test(overflow) ? view : Math.max(size, view));
  return {
    dx: scrollX, dy: scrollY, depth: 0, opacity: 1, clear: true,
    safe: { left: -scrollX, top: -scrollY, right: far(overflowX, scrollWidthOf(root) - scrollX, innerWidth), bottom: far(overflowY, scrollHeightOf(root) - scrollY, innerHeight) },
  };
};

/** Why an element is not seen, or null. Where nothing above can hide it, no climb to the root is needed. */
function whyUnseen(el, at, rect, budget) {
  const { style, frame, parent } = at;
  const { safe } = frame;
  if (rect && frame.clear && frame.opacity * style.opacity >= 0.01 && style.visibility === 'visible' && style.clipPath === 'none' && style.clip === 'auto'
    && style.position !== 'fixed' && rect.width * rect.height > 1
    && rect.left >= safe.left && rect.top >= safe.top && rect.right <= safe.right && rect.bottom <= safe.bottom && checkVisibility(el)) return null;
  budget.steps -= frame.depth;
  if (budget.steps > 0) return seen(el).why ?? frame.unseen ?? null;
  budget.guessed++;
  return parent?.why ?? null;
}

/** The nodes painted inside an element, and how they are framed by it. */
function insideOf(el, at) {
  const tag = localNameOf(el);
  if (tag === 'svg') return { nodes: foreignContent(el), frame: { ...at.frame, depth: at.frame.depth + 1, clear: false } };
  if (tag === 'iframe') return frameInside(el, at);
  const { style, frame } = at;
  const inner = { ...frame, depth: frame.depth + 1, opacity: frame.opacity * style.opacity };
  if (style.clipPath !== 'none' || style.clip !== 'auto' || style.contentVisibility === 'hidden') inner.clear = false;
  if (style.position === 'fixed') inner.safe = { left: 0, top: 0, right: innerWidth, bottom: innerHeight };
  const cuts = (style.overflowX !== 'visible' || style.overflowY !== 'visible') && style.display !== 'inline' && style.display !== 'contents' && !isViewportBox(el);
  if (cuts) inner.safe = intersect(inner.safe, paddingBox(el));
  return { nodes: flatChildren(el), frame: inner };
}

const foreignContent = (svg) => querySelectorAll(svg, 'foreignObject').flatMap((foreign) => [...childNodesOf(foreign)]);

function frameInside(el, at) {
  const content = el instanceof HTMLIFrameElement ? frameDocumentOf(el) : null;
  const root = content && documentElementOf(content);
  if (!root) {
    at.opaque = 'a frame of another origin';
    return null;
  }
  const { left, top } = rectOf(el);
  const dx = at.frame.dx + left + clientLeftOf(el) + parseFloat(at.style.paddingLeft);
  const dy = at.frame.dy + top + clientTopOf(el) + parseFloat(at.style.paddingTop);
  const safe = { left: 0, top: 0, right: scrollWidthOf(root), bottom: scrollHeightOf(root) };
  const hidden = at.why === null ? null : `inside ${tagOf(el)}: ${at.why}`;
  return { nodes: [root], frame: { inFrame: true, dx, dy, depth: 0, opacity: 1, clear: !hidden, safe, unseen: hidden } };
}

const realmOf = (el, frame) => (frame.inFrame ? 'frame' : getRootNode(el) === document ? 'page' : 'shadow');

function elementData(el, at, styles) {
  const role = roleOf(el) ?? '';
  const data = {
    parent: at.parent?.index, tag: localNameOf(el), realm: realmOf(el, at.frame), opaque: at.opaque, box: at.box ?? undefined,
    style: styles.row(at.style), role: role === 'generic' ? '' : role, unseen: at.why ?? undefined,
  };
  for (const { name, value } of attributesOf(el)) {
    if (name === 'id') data.id = value;
    else if (name === 'class') data.classes = value.split(/\s+/).filter(Boolean);
    else if (KEPT_ATTRIBUTES.has(name) || name.startsWith('aria-') || name.startsWith('data-')) (data.attributes ??= {})[name] = shorten(addressed(value), MOST_CHARACTERS);
  }
  const state = controlState(el);
  if (state) Object.assign((data.attributes ??= {}), state);
  if (role && !NAMELESS.has(role) && at.why === null) data.name = shorten(nameOf(el), MOST_CHARACTERS);
  if (at.style.display === 'none') data.left_out = byTag(el, '*').length;
  const before = resting && (resting.get(el) ?? { absent: true, box: null, why: null, opacity: 0 });
  if (before && differs(before, at)) data.rest = { absent: before.absent, box: before.box ?? undefined, unseen: before.why ?? undefined, opacity: before.opacity };
  return data;
}

/** What a person put into a control; passwords only by their length. */
function controlState(el) {
  if (el instanceof HTMLInputElement) {
    if (el.type === 'checkbox' || el.type === 'radio') return { checked: String(el.checked) };
    return { value: el.type === 'password' ? '•'.repeat(el.value.length) : shorten(el.value, MOST_CHARACTERS) };
  }
  if (el instanceof HTMLTextAreaElement || el instanceof HTMLSelectElement) return { value: shorten(el.value, MOST_CHARACTERS) };
  return null;
}

const differs = (before, at) => before.absent || before.why !== at.why || Math.abs(before.opacity - at.style.opacity) > 0.01
  || (before.box === null) !== (at.box === null) || (at.box !== null && at.box.some((side, i) => Math.abs(side - before.box[i]) > 1));

/** Addresses of the page's own origin without the origin, and embedded data only by its kind, length, and a hash. */
function addressed(text) {
  let clean = /^https?:/.test(location.origin) ? text.replaceAll(location.origin, '') : text;
  if (clean.startsWith('data:')) return embedded(clean);
  if (clean.includes('data:')) clean = clean.replace(/(?<=url\(")data:(?:[^"\\]|\\.)*/g, embedded);
  return clean.includes('blob:') ? clean.replace(/blob:[^"')\s]+/g, 'blob:') : clean;
}

const embedded = (data) => (data.length < 80 ? data : `${data.match(/^data:[^;,]*/)[0]};length=${data.length};hash=${hashOf(data)}`);

/** FNV-1a, 32 bits: tells equal from different, nothing more. */
function hashOf(text) {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return (hash >>> 0).toString(16).padStart(8, '0');
}
