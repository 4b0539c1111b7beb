// Faults of saving, and of changing a status.

const isPressed = (el) => el.getAttribute('aria-pressed') === 'true';
const isActive = (el) => isPressed(el) || el.selected || el.checked;

Object.assign(FAULTS, {
  'save-does-nothing': () => deafen('save', ['click'], { prevent: true }),
  'unsave-does-nothing': () => deafen('save', ['click'], { prevent: true, when: (_, el) => isPressed(el) }),
  'saved-forgotten': () => {
    let reading = false;
    onRender(() => {
      const shown = Boolean(openDetail());
      if (reading && !shown) {
        for (const el of all('save')) {
          if (!isPressed(el) || !within(el, 'item')) continue;
          el.click();
          took();
        }
      }
      reading = shown;
    });
  },
  'saved-view-shows-all': () => {
    upon('saved-only', ['click'], (el) => el.setAttribute('aria-pressed', String(!isPressed(el))));
    deafen('saved-only', ['click'], { prevent: true });
  },
  'status-unchanged': () => {
    const before = new WeakMap();
    const held = () => everywhere('select, input').filter((el) => within(el, 'status'));
    onRender(() => { for (const el of held()) if (!before.has(el)) before.set(el, el.type === 'radio' ? el.checked : el.value); });
    upon('status', ['change'], () => setTimeout(() => {
      for (const el of held()) {
        if (el.type === 'radio') el.checked = before.get(el) ?? el.checked;
        else if (el.nodeName === 'SELECT') el.value = before.get(el) ?? el.value;
      }
    }));
    deafen('status', ['input', 'change', 'click']);
  },
  'feedback-silent': () => onRender(() => { for (const el of all('feedback')) hide(el); }),
  'filter-stale': () => {
    let stale = null;
    upon('status', ['change', 'click'], (el) => {
      const item = within(el, 'item');
      if (item) stale = { fact: factOf(item), copy: item.cloneNode(true), parent: item.parentNode };
    });
    for (const hook of ['filter', 'search', 'open']) upon(hook, ['click', 'input', 'change'], () => { stale?.copy.remove(); stale = null; });
    onRender(() => {
      if (!stale || stale.copy.isConnected || all('item').some((el) => factOf(el) === stale.fact && isShown(el))) return;
      const parent = stale.parent.isConnected ? stale.parent : all('item')[0]?.parentNode;
      parent?.append(stale.copy);
      took();
    });
  },
  'undo-does-nothing': () => deafen('undo', ['click'], { prevent: true }),
});
