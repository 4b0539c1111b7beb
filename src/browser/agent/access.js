// Access for everybody: what the keyboard reaches and shows, what a finger hits, what keeps moving.

/** What a group says is chosen, by its name; null where it says nothing. */
function chosenIn(el) {
  const select = el instanceof HTMLSelectElement ? el : query(el, 'select')[0];
  if (select) return collapse(select.selectedOptions[0]?.label ?? '') || null;
  const inside = [el, ...query(el, 'input, button, a, [role]')].filter((control) => CHOICES.has(roleOf(control)));
  const on = inside.find((control) => checkedOf(control) === true || isCurrent(control));
  return on ? nameOf(on) : null;
}

const isCurrent = (el) => ['aria-selected', 'aria-pressed'].some((name) => attributeOf(el, name) === 'true') || !['false', '', null].includes(attributeOf(el, 'aria-current'));

/** The seen elements with their boxes; a label counts with its control. */
const seenTargets = (elements) => elements
  .map((el) => ({ el, boxes: [el, ...labelsOf(el)].filter((part) => seen(part).ok).map(rectOf) }))
  .filter(({ boxes }) => boxes.length);

/** Those that are smaller than a finger needs. */
function smallTargets(targets, least) {
  return targets
    .map(({ el, boxes }) => {
      const side = (from, to) => Math.max(...boxes.map((box) => box[to])) - Math.min(...boxes.map((box) => box[from]));
      return { el, width: side('left', 'right'), height: side('top', 'bottom') };
    })
    // Half a pixel is what layout rounds away.
    .filter(({ width, height }) => width < least - 0.5 || height < least - 0.5)
    .map(({ el, width, height }) => `${describe(el)} is ${Math.round(width)} x ${Math.round(height)} px`);
}

/** Animations that run and do not end within five seconds (WCAG 2.2.2). */
const lastingMotion = () => allAnimations()
  .filter((animation) => animation.playState === 'running' && !isBound(animation) && animation.effect.getComputedTiming().endTime > 5000)
  .map((animation) => `${describe(animation.effect.target)}: ${animation.animationName ?? animation.transitionProperty ?? (animation.id || 'script')}`);

let focusLooks = null;

/** Focuses the remembered element as a keyboard does, without the caret that blinks in fields; gives where to look. */
function focusShown() {
  const el = REMEMBERED();
  bring(el, 'center');
  focusLooks = { el, style: attributeOf(el, 'style') };
  el.style?.setProperty('caret-color', 'transparent', 'important');
  HTMLElement.prototype.focus.call(el, { focusVisible: true, preventScroll: true });
  const boxes = [el, ...labelsOf(el)].filter((part) => rendered(part).ok).map(rectOf);
  const [left, top] = ['left', 'top'].map((side) => Math.min(...boxes.map((box) => box[side])));
  const [right, bottom] = ['right', 'bottom'].map((side) => Math.max(...boxes.map((box) => box[side])));
  return { ok: true, focused: deepActive() === el, x: left, y: top, width: right - left, height: bottom - top };
}

function focusTaken() {
  const { el, style } = focusLooks;
  el.blur();
  if (style === null) el.removeAttribute('style');
  else el.setAttribute('style', style);
  return { ok: true };
}

const stops = new WeakMap();
let lastStop = 0;

/** The element that has the focus: which one, what it is, its box, the hooks that hold it and the fact that they show. */
function stop({ hooks }) {
  const el = deepActive();
  if (!el || el === bodyOf(document) || el === documentElementOf(document)) return { ok: true, value: null };
  if (!stops.has(el)) stops.set(el, (lastStop += 1));
  const around = [...flatAncestors(el)];
  const within = hooks.filter(({ testid }) => around.some((node) => attributeOf(node, 'data-testid') === testid));
  const holder = within.find(({ names }) => names.length);
  const shows = holder && around.find((node) => attributeOf(node, 'data-testid') === holder.testid);
  const fact = shows ? factOf(visibleText(shows), byLength(holder.names)) : null;
  const { x, y, width, height } = rectOf(el);
  return { ok: true, value: { number: stops.get(el), role: roleOf(el), name: nameOf(el), hooks: within.map(({ name }) => name), fact, x, y: y + scrollTopOf(scrollingElementOf(document) ?? documentElementOf(document)), width, height } };
}
