// Changes that no flow may hold against a page, and the removal and doubling of hooks.

const DOUBLE = 'data-loupe-double';
const still = '@media (prefers-reduced-motion: no-preference)';

/** The items of each list, in order. */
function lists() {
  const found = new Map();
  for (const el of all('item')) found.set(el.parentNode, [...(found.get(el.parentNode) ?? []), el]);
  return [...found.values()].filter((list) => list.length > 1);
}

const holdsFocus = (el) => { const held = deepFocus(); return held ? holds(el, held) : false; };

/** A list in another order; what is in that order already stays as it is. */
function reorder(list, rank) {
  const wanted = [...list].sort((a, b) => rank(a) - rank(b));
  if (wanted.every((el, i) => el === list[i]) || list.some(holdsFocus)) return;
  const end = document.createComment('');
  list.at(-1).after(end);
  for (const el of wanted) end.before(el);
  end.remove();
  took();
}

Object.assign(FAULTS, {
  'late-render': () => {
    restyle('body { display: none !important; }');
    const show = () => setTimeout(() => sheet.replaceSync(''), 700);
    addEventListener('DOMContentLoaded', show);
  },
  're-rendered': () => upon('search', ['input'], () => setTimeout(() => {
    for (const list of lists()) for (const el of list) if (!holdsFocus(el)) el.parentNode.insertBefore(el, el.nextSibling);
    took();
  })),
  'renamed-classes': () => onRender(() => {
    // Scripts may ask a control for its class; what only shows itself has it for the looks.
    for (const el of everywhere('[class]:not(button, a, input, select, label, dialog, [role], [data-testid])')) {
      if (typeof el.className !== 'string' || el.className.startsWith('css-')) continue;
      el.className = `css-${el.className.length.toString(36)}x ${el.className}`;
      took();
    }
  }),
  'extra-wrappers': () => onRender(() => {
    for (const el of all('open')) {
      if (!isNew(el) || holdsFocus(el)) continue;
      const wrapper = document.createElement('span');
      wrapper.style.display = 'contents';
      el.replaceWith(wrapper);
      wrapper.append(el);
      took();
    }
  }),
  'shuffled': () => {
    const rank = (el) => { const at = items.indexOf(factOf(el)); return at < 0 ? 0 : (at * 5) % 13; };
    onRender(() => { for (const list of lists()) reorder(list, rank); });
  },
  'upper-cased': () => restyle('* { text-transform: uppercase !important; }'),
  'extra-item': () => onRender(() => {
    const [model] = all('item').filter(isShown);
    if (!model || everywhere('[data-loupe-extra]').length) return;
    const extra = model.cloneNode(true);
    if (extra.shadowRoot || !textsIn(extra).length) return;
    extra.setAttribute('data-loupe-extra', '');
    for (const node of textsIn(extra)) if (fold(node.data) && !node.parentElement.closest('[aria-label]')) node.data = 'Something else';
    model.parentNode.append(extra);
    took();
  }),
  'slow-animation': () => restyle(`${still} { @keyframes loupe-come { from { opacity: 0; translate: 0 12px; } }
    ${selector('item')}, ${selector('detail')} { animation: loupe-come 500ms; } }`),
  'other-font': () => restyle('* { font-family: serif !important; }'),
  // Pages find their own parts by these attributes: the flow looks for another one instead.
  'hook-removed': () => onRender(took),
  'hook-doubled': (hook) => {
    const doubles = new WeakMap();
    onRender(() => {
      for (const el of all(hook)) {
        if (el.hasAttribute(DOUBLE)) continue;
        const { double, html } = doubles.get(el) ?? {};
        if (double?.isConnected && html === el.outerHTML) continue;
        const copy = el.cloneNode(true);
        copy.removeAttribute('id');
        copy.setAttribute(DOUBLE, '');
        double?.remove();
        el.after(copy);
        doubles.set(el, { double: copy, html: el.outerHTML });
        took();
      }
    });
  },
});
