// Accessible names: what a control is called, computed from the DOM in the order of the accname recommendation.
//
// Names keep the case of the DOM (text-transform changes nothing). Descriptions are deliberately not computed.

const NAMED_BY_CONTENT = new Set(('button cell checkbox columnheader gridcell heading link menuitem menuitemcheckbox menuitemradio '
  + 'option radio row rowheader switch tab tooltip treeitem').split(' '));
const DEEPEST_NAME = 200;

/** The accessible name, white space collapsed; empty if there is none. */
function nameOf(el) {
  return collapse(nameIn(el, { seen: new Set(), depth: 0, referenced: false, content: false }));
}

function nameIn(el, at) {
  if (at.seen.has(el) || at.depth > DEEPEST_NAME) return '';
  at.seen.add(el);
  if (!at.referenced && at.content && leavesNoName(el)) return '';
  if (!at.referenced) {
    const referred = referredName(el, 'aria-labelledby');
    if (referred) return referred;
  }
  const role = roleOf(el);
  if (at.content || at.referenced) {
    const value = valueAsName(el, role);
    if (value !== null) return value;
  }
  const label = attributeOf(el, 'aria-label');
  if (label?.trim()) return label;
  const native = nativeName(el, at);
  if (native) return native;
  if (NAMED_BY_CONTENT.has(role) || at.content || at.referenced || localNameOf(el) === 'summary') {
    const content = contentName(el, at);
    if (content.trim()) return content;
  }
  if (at.content && !matchesCss(el, FOCUSABLE)) return '';
  return attributeOf(el, 'title') || placeholderOf(el) || '';
}

function referredName(el, attribute) {
  const ids = attributeOf(el, attribute)?.trim().split(/\s+/) ?? [];
  return ids.map((id) => byId(el, id)).filter(Boolean)
    .map((target) => nameIn(target, { seen: new Set(), depth: 0, referenced: true, content: false }))
    .filter((name) => name.trim()).join(' ');
}

/** The element with an id, in the root where the reference stands. */
function byId(el, id) {
  const root = getRootNode(el);
  return root === document ? getElementById(document, id) : querySelectorAll(root, `#${CSS.escape(id)}`)[0] ?? null;
}

/** What a control inside a label contributes: its value, not its own name. */
function valueAsName(el, role) {
  if (el instanceof HTMLSelectElement) return [...el.selectedOptions].map((option) => option.label).join(' ');
  if (role === 'textbox' || role === 'searchbox' || role === 'spinbutton') return 'value' in el ? el.value : textOf(el);
  if (role === 'slider') return attributeOf(el, 'aria-valuetext') ?? attributeOf(el, 'aria-valuenow') ?? el.value ?? '';
  return null;
}

function nativeName(el, at) {
  const tag = localNameOf(el);
  if (tag === 'input' && /^(button|submit|reset)$/.test(el.type)) {
    return el.value || labelsName(el, at) || { submit: 'Submit', reset: 'Reset' }[el.type] || '';
  }
  if (tag === 'input' && el.type === 'image') return attributeOf(el, 'alt') || attributeOf(el, 'value') || 'Submit';
  if (tag === 'img' || tag === 'area') return attributeOf(el, 'alt') ?? '';
  const part = { fieldset: 'legend', table: 'caption', figure: 'figcaption', svg: 'title' }[tag];
  if (part) {
    const naming = [...childNodesOf(el)].find((child) => isElement(child) && localNameOf(child) === part);
    return naming ? nameIn(naming, { ...at, depth: at.depth + 1, content: true }) : '';
  }
  return labelsName(el, at);
}

function labelsName(el, at) {
  return labelsOf(el).filter((label) => !at.seen.has(label))
    .map((label) => nameIn(label, { ...at, seen: new Set(at.seen), depth: at.depth + 1, content: true })).join(' ');
}

/** The <label> elements of a control. */
const labelsOf = (el) => labelsByControl().get(el) ?? [];

// Read from the labels' side: `control.labels` searches the whole document each time.
const labelsByControl = oncePerTurn(() => {
  const found = new Map();
  for (const root of rootsUnder(document)) {
    for (const label of querySelectorAll(root, 'label')) {
      if (label.control) found.set(label.control, [...(found.get(label.control) ?? []), label]);
    }
  }
  return found;
});

function placeholderOf(el) {
  return attributeOf(el, 'placeholder') ?? attributeOf(el, 'aria-placeholder');
}

function contentName(el, at) {
  let name = pseudoText(el, '::before');
  for (const child of flatChildren(el)) {
    if (isText(child)) name += child.data;
    if (!isElement(child) || isUnread(child)) continue;
    const part = nameIn(child, { ...at, depth: at.depth + 1, content: true });
    const inline = /^(inline|contents)$/.test(styleOf(child).display) && localNameOf(child) !== 'br';
    name += inline ? part : ` ${part} `;
  }
  return name + pseudoText(el, '::after');
}

/** The text that CSS adds; its declared alternative wins, icon-font glyphs are not text. */
function pseudoText(el, pseudo) {
  const { content, display } = styleOf(el, pseudo);
  if (!content || content === 'none' || content === 'normal' || display === 'none') return '';
  const strings = (css) => [...css.matchAll(/"((?:\\.|[^"\\])*)"/g)].map((found) => found[1].replace(/\\(.)/g, '$1')).join('');
  const alternative = content.match(/\/\s*("(?:\\.|[^"\\])*")\s*$/);
  const text = strings(alternative ? alternative[1] : content).replace(/[\ue000-\uf8ff]/g, '');
  return /^(inline|contents)$/.test(display) ? text : ` ${text} `;
}

/** Whether an element inside a name is silent: hidden from sight or declared hidden. */
function leavesNoName(el) {
  if (attributeOf(el, 'aria-hidden') === 'true') return true;
  const style = styleOf(el);
  return style.display === 'none' || (style.visibility !== 'visible' && localNameOf(el) !== 'slot');
}

/** Why the accessibility tree does not hold the element, or null if it does. */
function silentBecause(el) {
  if (styleOf(el).visibility !== 'visible') return 'visibility: hidden';
  for (const node of flatAncestors(el)) {
    if (attributeOf(node, 'aria-hidden') === 'true') return `aria-hidden on ${tagOf(node)}`;
    if (styleOf(node).display === 'none') return `display: none on ${tagOf(node)}`;
  }
  return inertBy(el) ?? (checkVisibility(el) ? null : notRenderedBecause(el));
}
