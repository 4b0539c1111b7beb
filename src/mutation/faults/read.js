// Faults of opening an item, of what it shows, and of leaving it.

const paragraphs = (item) => [item.body].flat();

Object.assign(FAULTS, {
  'detail-stays-shut': () => deafen('open', ['click', 'keydown'], { prevent: true, when: isActivation }),
  'detail-stays-shut-for-keys': () => deafen('open', ['click', 'keydown'], {
    prevent: true,
    // A click that no pointer made.
    when: (event) => isActivation(event) && !(event.type === 'click' && event.detail),
  }),
  'detail-stays-open': () => deafen('close', ['click', 'keydown'], { prevent: true, when: isActivation }),
  'body-of-another': () => {
    const [wrong, other] = [items[3], items[4]];
    const instead = new Map(paragraphs(wrong).map((text, i) => [fold(text), paragraphs(other)[i] ?? '']));
    onRender(() => { for (const el of all('body')) rewrite(el, (text) => instead.get(text)); });
  },
  'body-cut': () => {
    const last = new Map(items.map((item) => paragraphs(item).at(-1)).map((text) => [fold(text), `${text.slice(0, text.length / 2)}…`]));
    onRender(() => { for (const el of all('body')) rewrite(el, (text) => last.get(text)); });
  },
  'escape-ignored': () => {
    const stop = (event) => {
      if (event.type === 'keydown' && event.key !== 'Escape') return;
      event.stopImmediatePropagation();
      event.preventDefault();
      took();
    };
    for (const type of ['keydown', 'keyup', 'cancel']) addEventListener(type, stop, true);
  },
  'focus-stays-outside': () => {
    let walking = false;
    addEventListener('keydown', (event) => { walking ||= event.key === 'Tab'; }, true);
    const leave = () => {
      const modal = openModal();
      const held = modal && deepFocus();
      if (!held || walking || !holds(modal, held)) return;
      held.blur();
      took();
    };
    addEventListener('focusin', leave, true);
    onRender(leave);
  },
  'focus-lost': () => {
    let open = false;
    const look = () => { open ||= Boolean(openModal()); };
    onRender(look);
    for (const type of ['keydown', 'pointerdown']) addEventListener(type, () => { open = Boolean(openModal()); }, true);
    addEventListener('focusin', (event) => {
      if (!open || !at(event, 'open')) return;
      event.composedPath()[0].blur();
      took();
    }, true);
  },
  'background-live': () => {
    HTMLDialogElement.prototype.showModal = function () {
      this.setAttribute('aria-modal', 'true');
      this.show();
    };
    for (const type of ['keydown', 'focusin', 'focusout']) {
      addEventListener(type, (event) => { if (openModal() && (event.key ?? 'Tab') === 'Tab') event.stopImmediatePropagation(); }, true);
    }
    onRender(() => {
      const modal = openModal();
      if (!modal) return;
      for (const el of everywhere('[inert]')) el.removeAttribute('inert');
      for (const el of everywhere('*')) {
        const { width, height } = el.getBoundingClientRect();
        const covers = el !== modal && !holds(modal, el) && width >= document.documentElement.clientWidth && height >= document.documentElement.clientHeight;
        if (covers && getComputedStyle(el).position === 'fixed') el.style.setProperty('pointer-events', 'none');
      }
      modal.style.setProperty('pointer-events', 'auto');
      took();
    });
  },
});

function deepFocus() {
  let el = document.activeElement;
  while (el?.shadowRoot?.activeElement) el = el.shadowRoot.activeElement;
  return el === document.body ? null : el;
}

function holds(outer, inner) {
  for (let el = inner; el; el = above(el)) if (el === outer) return true;
  return false;
}
