// Faults of searching, filtering and listing.

const valueOf = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value');
let typed = '';

/** The page reads something else in the search box than what stands there. */
function misread(reading) {
  upon('search', ['input'], (el) => { typed = valueOf.get.call(el); });
  Object.defineProperty(HTMLInputElement.prototype, 'value', {
    ...valueOf,
    get() {
      const value = valueOf.get.call(this);
      if (!this.matches(selector('search'))) return value;
      const read = reading(value);
      if (read !== value) took();
      return read;
    },
  });
  // A page that draws the box anew would show what it read.
  onRender(() => { for (const el of all('search')) if (valueOf.get.call(el) !== typed) valueOf.set.call(el, typed); });
}

const titles = items.map((item) => item[by]);
const NOTHING = 'no title has these words';
const unless = (found) => (text) => (text && !found(text) ? NOTHING : text);
const bodyOf = (item) => plain([item.body].flat().join(' '));

const isLink = (event) => event.composedPath().some((el) => el.nodeName === 'A');

Object.assign(FAULTS, {
  'search-ignored': () => deafen('search', ['input', 'change', 'keyup', 'keydown', 'search']),
  'search-finds-all': () => misread(() => ''),
  'search-reads-bodies': () => misread((text) => {
    if (!text || titles.some((title) => plain(title).includes(plain(text)))) return text;
    return items.find((item) => bodyOf(item).includes(plain(text)))?.[by] ?? text;
  }),
  'search-minds-accents': () => misread(unless((text) => titles.some((title) => fold(title).includes(fold(text))))),
  'search-minds-case': () => misread(unless((text) => titles.some((title) => title.includes(text)))),
  'search-wants-whole-titles': () => misread(unless((text) => titles.some((title) => plain(title) === plain(text)))),
  'filter-ignored': () => {
    deafen('filter', ['click'], { prevent: true, when: isLink });
    deafen('filter', ['input', 'change', 'click']);
  },
  'filter-drops-search': () => {
    upon('search', ['input'], (el, event) => { if (event.isTrusted) typed = valueOf.get.call(el); });
    upon('filter', ['change', 'click'], () => setTimeout(() => {
      for (const el of typed ? all('search') : []) {
        valueOf.set.call(el, '');
        el.dispatchEvent(new InputEvent('input', { bubbles: true, composed: true }));
        took();
      }
      typed = '';
    }));
  },
  'item-missing': () => onRender(() => {
    for (const el of all('item')) if (factOf(el) === items[2]) hide(el);
  }),
  'titles-swapped': () => {
    const one = items[1];
    const other = items.find((item) => item !== one && listed.some((field) => field !== by && item[field] !== one[field]));
    const instead = new Map([[fold(one[by]), other[by]], [fold(other[by]), one[by]]]);
    onRender(() => { for (const el of all('item')) rewrite(el, (text) => instead.get(text)); });
  },
  'fact-left-out': () => {
    const field = listed.find((name) => name !== by && name !== filter) ?? listed.find((name) => name !== by);
    onRender(() => {
      for (const el of all('item')) {
        const value = fold(factOf(el)?.[field] ?? '');
        if (value) rewrite(el, (text, whole) => (text.includes(value) ? whole.replace(/\S/g, '') : undefined));
      }
    });
  },
  'no-way-back': () => deafen('show-all', ['click', 'keydown'], { prevent: true, when: isActivation }),
  'empty-unsaid': () => onRender(() => { for (const el of all('empty')) if (isShown(el)) hide(el); }),
});
