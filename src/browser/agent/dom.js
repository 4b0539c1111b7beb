// Safe access to the DOM, the flat tree, text as a person compares it, and the words that name an element in messages.
//
// A form with an input named "id" hides the form's own `id`, and a named image can hide parts of `document`: whatever
// may be hidden is read through the prototypes. Nothing here recurses along the tree, which may be thousands deep,
// and nothing here judges what can be seen.

const getterOf = (type, name) => {
  const { get } = Object.getOwnPropertyDescriptor(type.prototype, name);
  return (node) => get.call(node);
};
const methodOf = (type, name) => {
  const method = type.prototype[name];
  return (node, ...args) => method.apply(node, args);
};

const nodeTypeOf = getterOf(Node, 'nodeType');
const parentNodeOf = getterOf(Node, 'parentNode');
const childNodesOf = getterOf(Node, 'childNodes');
const isConnected = getterOf(Node, 'isConnected');
const getRootNode = methodOf(Node, 'getRootNode');
const localNameOf = getterOf(Element, 'localName');
const shadowRootOf = getterOf(Element, 'shadowRoot');
const elementSlotOf = getterOf(Element, 'assignedSlot');
const textSlotOf = getterOf(Text, 'assignedSlot');
const attributeOf = methodOf(Element, 'getAttribute');
const hasAttribute = methodOf(Element, 'hasAttribute');
const matchesCss = methodOf(Element, 'matches');
const rectOf = methodOf(Element, 'getBoundingClientRect');
const rectsOf = methodOf(Element, 'getClientRects');
const checkVisibility = methodOf(Element, 'checkVisibility');
const scrollIntoView = methodOf(Element, 'scrollIntoView');
const animationsOf = methodOf(Element, 'getAnimations');
const clientLeftOf = getterOf(Element, 'clientLeft');
const clientTopOf = getterOf(Element, 'clientTop');
const clientWidthOf = getterOf(Element, 'clientWidth');
const clientHeightOf = getterOf(Element, 'clientHeight');
const scrollWidthOf = getterOf(Element, 'scrollWidth');
const scrollHeightOf = getterOf(Element, 'scrollHeight');
const scrollLeftOf = getterOf(Element, 'scrollLeft');
const scrollTopOf = getterOf(Element, 'scrollTop');
const focusElement = methodOf(HTMLElement, 'focus');

const documentElementOf = getterOf(Document, 'documentElement');
const bodyOf = getterOf(Document, 'body');
const readyStateOf = getterOf(Document, 'readyState');
const titleOf = getterOf(Document, 'title');
const fontsOf = getterOf(Document, 'fonts');
const activeElementOf = getterOf(Document, 'activeElement');
const scrollingElementOf = getterOf(Document, 'scrollingElement');
const documentAnimations = methodOf(Document, 'getAnimations');
const elementFromPoint = methodOf(Document, 'elementFromPoint');
const getElementById = methodOf(Document, 'getElementById');
const createRange = methodOf(Document, 'createRange');
const queryBy = { 1: methodOf(Element, 'querySelectorAll'), 9: methodOf(Document, 'querySelectorAll'), 11: methodOf(DocumentFragment, 'querySelectorAll') };

const querySelectorAll = (root, css) => [...queryBy[nodeTypeOf(root)](root, css)];
const isElement = (node) => nodeTypeOf(node) === 1;
const isText = (node) => nodeTypeOf(node) === 3;
const styleOf = (el, pseudo) => getComputedStyle(el, pseudo);
const now = () => performance.now();

/** Computes once per turn of the event loop: within one, no script of the page can change the answer. */
function oncePerTurn(compute) {
  let known = null;
  return () => {
    if (!known) {
      known = { value: compute() };
      queueMicrotask(() => { known = null; });
    }
    return known.value;
  };
}

/** The children a person could see in this place: shadow content and slotted nodes instead of the written children. */
function flatChildren(node) {
  if (!isElement(node)) return childNodesOf(node);
  const shadow = shadowRootOf(node);
  if (shadow) return childNodesOf(shadow);
  if (localNameOf(node) === 'slot' && node instanceof HTMLSlotElement) {
    const assigned = node.assignedNodes();
    if (assigned.length) return assigned;
  }
  return childNodesOf(node);
}

/** The element that holds this node in the flat tree, or null at the top. */
function flatParent(node) {
  const slot = isElement(node) ? elementSlotOf(node) : isText(node) ? textSlotOf(node) : null;
  if (slot) return slot;
  const parent = parentNodeOf(node);
  if (!parent || isElement(parent)) return parent;
  return parent instanceof ShadowRoot ? parent.host : null;
}

/** The element and what holds it, innermost first. */
function* flatAncestors(el) {
  for (let node = el; node; node = flatParent(node)) yield node;
}

function flatContains(outer, inner) {
  for (const node of flatAncestors(inner)) if (node === outer) return true;
  return false;
}

/** Every element below `root` in the flat tree, in document order; subtrees whose root `skip` refuses are left out. */
function elementsUnder(root, skip = () => false) {
  const found = [];
  const stack = [root];
  while (stack.length) {
    const node = stack.pop();
    if (node !== root) found.push(node);
    const children = flatChildren(node);
    for (let i = children.length - 1; i >= 0; i--) {
      if (isElement(children[i]) && !skip(children[i])) stack.push(children[i]);
    }
  }
  return found;
}

/** `root` and every open shadow root below it. */
function rootsUnder(root) {
  const roots = [root];
  if (isElement(root) && shadowRootOf(root)) roots.push(shadowRootOf(root));
  for (let i = 0; i < roots.length; i++) {
    for (const el of querySelectorAll(roots[i], '*')) {
      const shadow = shadowRootOf(el);
      if (shadow) roots.push(shadow);
    }
  }
  return roots;
}

/** What a CSS selector matches below `scope`, through open shadow roots and slots; the selector itself stays in one root. */
function query(scope, css) {
  // Inside a shadow tree, slots bring in nodes that lie elsewhere in the document.
  if (isElement(scope) && getRootNode(scope) instanceof ShadowRoot) {
    matchesCss(scope, css);
    return elementsUnder(scope).filter((el) => matchesCss(el, css));
  }
  const roots = rootsUnder(scope);
  if (roots.length === 1) return querySelectorAll(scope, css);
  const hits = new Set(roots.flatMap((root) => querySelectorAll(root, css)));
  const ordered = elementsUnder(scope).filter((el) => hits.delete(el));
  return [...ordered, ...hits];
}

/** The focused element, through open shadow roots; null if focus is nowhere. */
function deepActive() {
  let active = activeElementOf(document);
  while (active && shadowRootOf(active)?.activeElement) active = shadowRootOf(active).activeElement;
  return active;
}

const UNREAD = new Set(['script', 'style', 'noscript', 'template', 'head']);
const isUnread = (el) => UNREAD.has(localNameOf(el));

/** The DOM text of each element below `root`, and of `root`: text-transform changes nothing, hidden text is included. */
function textsUnder(root, skip = isUnread) {
  const elements = elementsUnder(root, skip);
  const texts = new Map();
  for (let i = elements.length; i >= 0; i--) {
    const el = i ? elements[i - 1] : root;
    let text = isElement(el) && ownText(el);
    if (typeof text !== 'string') {
      text = '';
      for (const child of flatChildren(el)) {
        if (isText(child)) text += child.data;
        else if (isElement(child)) text += gap(child) + (texts.get(child) ?? '') + gap(child);
      }
    }
    texts.set(el, text);
  }
  return { elements, texts };
}

// Where markup alone separates two words (`<td>a</td><td>b</td>`), a person reads them apart.
const APART = new Set(('address article aside blockquote br button caption dd details dialog div dl dt fieldset figcaption figure '
  + 'footer form h1 h2 h3 h4 h5 h6 header hr legend li main nav ol option p pre section select summary table tbody td '
  + 'textarea tfoot th thead tr ul').split(' '));
const gap = (el) => (APART.has(localNameOf(el)) ? ' ' : '');

/** The text of elements that show a text which is not their content. */
function ownText(el) {
  if (el instanceof HTMLInputElement && /^(button|submit|reset)$/.test(el.type)) return el.value || attributeOf(el, 'value') || '';
  return null;
}

const textOf = (el) => collapse(textsUnder(el, isUnread).texts.get(el));

/** White space collapsed as a person reads it: nbsp is a space, soft hyphens and zero-width spaces are nothing. */
const collapse = (text) => text.replace(/[\u00ad\u200b\u2060\ufeff]/g, '').replace(/\s+/g, ' ').trim();

/** A text made comparable: collapsed, composed, without case (ß meets SS, final sigma meets sigma). */
const fold = (text) => collapse(text).normalize('NFC').toUpperCase().toLowerCase().replaceAll('ς', 'σ');

/** Whether `text` satisfies `want` ({text, exact}): equal when exact, else contained. */
const textFits = (text, want) => (want.exact ? fold(text) === fold(want.text) : fold(text).includes(fold(want.text)));

const shorten = (text, most) => (text.length > most ? `${text.slice(0, most - 1)}…` : text);

const NAMING = ['id', 'data-testid', 'class', 'type', 'name', 'role', 'aria-label', 'href'];

/** The start tag of an element, cut to what tells it apart: `<div class="cookie-banner">`. */
function tagOf(el) {
  const parts = NAMING.filter((name) => attributeOf(el, name))
    .slice(0, 4)
    .map((name) => ` ${name}="${shorten(collapse(attributeOf(el, name)), 40)}"`);
  return `<${localNameOf(el)}${parts.join('')}>`;
}

/** The start tag and the beginning of the text. */
const describe = (el) => tagOf(el) + shorten(textOf(el), 40);
