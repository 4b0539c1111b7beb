// Roles as HTML-AAM and ARIA assign them, and the states that locators may ask for.
//
// Deliberately in the page and not from the browser's accessibility tree: that tree upper-cases names under
// text-transform, leaves out frames, and costs hundreds of milliseconds on large pages.

const SECTIONING = 'article, aside, main, nav, section, [role=article], [role=complementary], [role=main], [role=navigation], [role=region]';
const isNamed = (el) => Boolean(attributeOf(el, 'aria-label')?.trim() || attributeOf(el, 'aria-labelledby')?.trim() || attributeOf(el, 'title')?.trim());
const isNested = (el, css) => [...flatAncestors(el)].slice(1).some((node) => matchesCss(node, css));
const inSectioning = (el) => isNested(el, SECTIONING);

const INPUT_ROLES = {
  button: 'button', submit: 'button', reset: 'button', image: 'button', color: 'button', file: 'button',
  checkbox: 'checkbox', radio: 'radio', range: 'slider', number: 'spinbutton', search: 'searchbox', hidden: null,
};
function inputRole(el) {
  const type = el.type;
  if (hasAttribute(el, 'list') && /^(text|search|email|tel|url)$/.test(type)) return 'combobox';
  return Object.hasOwn(INPUT_ROLES, type) ? INPUT_ROLES[type] : 'textbox';
}

function cellRole(el) {
  const table = [...flatAncestors(el)].find((node) => localNameOf(node) === 'table');
  return table && /^(grid|treegrid)$/.test(attributeOf(table, 'role') ?? '') ? 'gridcell' : 'cell';
}

// tag -> [every role it can have, the role it has]; a plain string where there is only one.
const IMPLICIT = {
  a: ['link', (el) => (hasAttribute(el, 'href') ? 'link' : 'generic')],
  area: ['link', (el) => (hasAttribute(el, 'href') ? 'link' : 'generic')],
  article: 'article',
  aside: ['complementary', (el) => (inSectioning(el) && !isNamed(el) ? 'generic' : 'complementary')],
  blockquote: 'blockquote', button: 'button', caption: 'caption', code: 'code', datalist: 'listbox', dd: 'definition',
  del: 'deletion', details: 'group', dfn: 'term', dialog: 'dialog', dt: 'term', em: 'emphasis', fieldset: 'group', figure: 'figure',
  footer: ['contentinfo', (el) => (inSectioning(el) ? 'generic' : 'contentinfo')],
  form: ['form', (el) => (isNamed(el) ? 'form' : 'generic')],
  h1: 'heading', h2: 'heading', h3: 'heading', h4: 'heading', h5: 'heading', h6: 'heading',
  header: ['banner', (el) => (inSectioning(el) ? 'generic' : 'banner')],
  hr: 'separator', html: 'document',
  img: ['img none', (el) => (attributeOf(el, 'alt') === '' && !isNamed(el) ? 'none' : 'img')],
  input: ['button checkbox radio slider spinbutton searchbox combobox textbox', inputRole],
  ins: 'insertion', li: 'listitem', main: 'main', mark: 'mark', math: 'math', menu: 'list', meter: 'meter', nav: 'navigation',
  ol: 'list', optgroup: 'group', option: 'option', output: 'status', p: 'paragraph', progress: 'progressbar', search: 'search',
  section: ['region', (el) => (isNamed(el) ? 'region' : 'generic')],
  select: ['combobox listbox', (el) => (el.multiple || el.size > 1 ? 'listbox' : 'combobox')],
  strong: 'strong', sub: 'subscript',
  // HTML-AAM gives summary no role; for a person it is a button that opens and closes.
  summary: 'button',
  sup: 'superscript', svg: 'img', table: 'table', tbody: 'rowgroup', td: ['cell gridcell', cellRole], textarea: 'textbox', tfoot: 'rowgroup',
  th: ['columnheader rowheader', (el) => (/^row/.test(attributeOf(el, 'scope') ?? '') ? 'rowheader' : 'columnheader')],
  thead: 'rowgroup', time: 'time', tr: 'row', ul: 'list',
};

const FOCUSABLE = 'a[href], button, input:not([type=hidden]), select, textarea, summary, iframe, [tabindex], [contenteditable=""], [contenteditable=true]';
const GLOBAL_ARIA = ['aria-label', 'aria-labelledby', 'aria-describedby', 'aria-live', 'aria-controls', 'aria-details', 'aria-busy', 'aria-atomic'];

/** The element's role: the first valid explicit one, else the implicit one; "generic" where there is none. */
function roleOf(el) {
  const explicit = (attributeOf(el, 'role') ?? '').toLowerCase().split(/\s+/).find((role) => ROLES.has(role));
  if (!explicit) return implicitRole(el);
  if (explicit !== 'none' && explicit !== 'presentation') return explicit;
  // A control that can be focused, or that carries global ARIA, cannot be declared away.
  return matchesCss(el, FOCUSABLE) || GLOBAL_ARIA.some((name) => hasAttribute(el, name)) ? implicitRole(el) : 'none';
}

function implicitRole(el) {
  const tag = localNameOf(el);
  if (!Object.hasOwn(IMPLICIT, tag)) return 'generic';
  const rule = IMPLICIT[tag];
  return (typeof rule === 'string' ? rule : rule[1](el)) ?? 'generic';
}

/** A selector for every element that could have the role: the cheap filter before the exact question. */
function roleSelector(role) {
  const tags = Object.keys(IMPLICIT).filter((tag) => [IMPLICIT[tag]].flat()[0].split(' ').includes(role));
  return [`[role~="${role}" i]`, ...tags].join(', ');
}

const ariaBool = (el, name) => {
  const value = attributeOf(el, name);
  return value === 'mixed' ? 'mixed' : value === null || value === 'undefined' ? null : value === 'true';
};

/** true, false, "mixed", or null where the element has no checked state. */
function checkedOf(el) {
  if (el instanceof HTMLInputElement && /^(checkbox|radio)$/.test(el.type)) return el.indeterminate ? 'mixed' : el.checked;
  return ariaBool(el, 'aria-checked');
}

function expandedOf(el) {
  const declared = ariaBool(el, 'aria-expanded');
  if (declared !== null) return declared;
  const details = localNameOf(el) === 'summary' ? parentNodeOf(el) : el;
  return details instanceof HTMLDetailsElement ? details.open : null;
}

const selectedOf = (el) => (el instanceof HTMLOptionElement ? el.selected : ariaBool(el, 'aria-selected'));

function levelOf(el) {
  const declared = Number(attributeOf(el, 'aria-level'));
  if (declared) return declared;
  return /^h[1-6]$/.test(localNameOf(el)) ? Number(localNameOf(el)[1]) : null;
}

const STATES = {
  checked: checkedOf,
  expanded: expandedOf,
  selected: selectedOf,
  pressed: (el) => ariaBool(el, 'aria-pressed'),
  disabled: (el) => disabledBy(el) !== null,
  level: levelOf,
};

/** Whether each asked state has the asked value; a state that the element does not have counts as false. */
const statesFit = (el, wanted) => Object.entries(wanted).every(([name, value]) => (STATES[name](el) ?? false) === value);
