// Acting: brings one element to the point where real input can follow, and checks that the input reached it.
//
// The input itself is Rust's part, sent as trusted events. Only controls that take no typing (dates, colours, ranges,
// selections) are set here, with the events a person's choice would cause.

let target = null;
let armed = null;

const NEEDS = {
  rendered: (el) => [rendered(el), 'not-rendered', 'is not rendered'],
  seen: (el) => [seen(el), 'not-seen', 'is not seen'],
  enabled: (el) => [enabled(el), 'not-enabled', 'is not enabled'],
  editable: (el) => [editable(el), 'not-editable', 'is not editable'],
};

async function ready(request) {
  const log = new Log();
  const needs = new Set(request.need);
  disarm();
  // Counts on where a frame's place in the documents around it made the last answer useless.
  let tries = request.tries ?? 0;
  return withOne(request, log, async (found) => {
    const el = needs.has('seen') ? stand(found, log) : found;
    const refuse = (error, message) => {
      log.say(message);
      return { done: false, ok: false, error, message, candidates: [] };
    };
    if (needs.has('seen')) needs.add('rendered');
    for (const need of ['rendered', 'seen', 'enabled', 'editable'].filter((name) => needs.has(name))) {
      const [answer, error, verb] = NEEDS[need](need === 'enabled' ? found : el);
      if (!answer.ok) return refuse(error, `${describe(el)} ${verb}: ${answer.why}`);
    }
    if (needs.has('hit') && inertBy(el)) return refuse('covered', `${describe(el)} is ${inertBy(el)}`);
    const point = await reach(el, needs, tries++);
    if (point.moving) return refuse('not-stable', `${describe(el)} is not stable: ${point.moving}`);
    if (point.why) return refuse(point.covered ? 'covered' : 'not-seen', `${describe(el)} is not reached: ${point.why}`);
    target = found;
    if (needs.has('hit')) arm(el);
    const { x, y, width, height } = rectOf(el);
    return { done: true, ok: true, x: point.x, y: point.y, box: { x, y, width, height }, element: describe(found), tag: localNameOf(found), type: found.type ?? null, editable: editable(found).ok };
  });
}

/** The element to aim at: the label, where the control itself is kept out of sight. */
function stand(el, log) {
  const label = proxyLabel(el);
  if (label) log.say(`${tagOf(el)} is out of sight; its ${describe(label)} stands for it`);
  return label ?? el;
}

/** Scrolls the element into view, lets it come to rest, and finds a point where a pointer reaches it. */
async function reach(el, needs, tries) {
  const inView = () => {
    const box = rectOf(el);
    return box.top >= 0 && box.left >= 0 && box.bottom <= innerHeight && box.right <= innerWidth;
  };
  // What is in view of its frame may be out of view of the page.
  if (needs.has('seen') && (tries || !inView() || globalThis !== globalThis.parent)) bring(el, ALIGNMENTS[tries % ALIGNMENTS.length]);
  if (needs.has('stable')) {
    const moving = await movement(el);
    if (moving) return { moving };
  }
  if (needs.has('hit')) return hitPoint(el);
  const { left, top, width, height } = rectOf(el);
  return { x: left + width / 2, y: top + height / 2 };
}

/** Null if the box is the same in two frames; else what moves it. */
async function movement(el) {
  // An animation that has not begun yet moves nothing in its first frames.
  const beginning = documentAnimations(document).filter(({ pending, effect }) => pending && effect?.target && flatContains(effect.target, el));
  await Promise.race([Promise.allSettled(beginning.map(({ ready: begun }) => begun)), sleep(500)]);
  await frame();
  const before = rectOf(el);
  await frame();
  const after = rectOf(el);
  if (['x', 'y', 'width', 'height'].every((side) => before[side] === after[side])) return null;
  for (const node of flatAncestors(el)) {
    const [animation] = animationsOf(node).filter(({ playState }) => playState === 'running');
    if (animation) return `animation \`${animation.animationName ?? animation.transitionProperty ?? (animation.id || 'script')}\`${on(node, el)}`;
  }
  return 'a script moves it';
}

const MOVES = ['pointermove', 'mousemove'];
const PRESSES = ['pointerdown', 'mousedown', 'touchstart', 'pointerup', 'mouseup', 'touchend', 'click', 'auxclick', 'dblclick', 'contextmenu'];

function listen() {
  for (const name of [...MOVES, ...PRESSES]) {
    removeEventListener(name, verify, { capture: true });
    addEventListener(name, verify, { capture: true, passive: false });
  }
}

// From the beginning: a listener of the page that swallows an event comes after this one.
listen();
const begun = document;

/** From now on, pointer events that miss the element are recorded, and presses that miss it are kept from the page. */
function arm(el) {
  // A frame that leaves its first, empty document may keep its window, whose listeners then sleep.
  if (begun !== document) listen();
  armed = { el, moved: null, pressed: null };
}

function disarm() {
  const verdict = armed && (armed.pressed ?? armed.moved);
  armed = null;
  return verdict;
}

function verify(event) {
  if (!armed || !event.isTrusted) return;
  const kind = MOVES.includes(event.type) ? 'moved' : 'pressed';
  // The first press decides: its own handlers may already have taken the element away when the click follows.
  if (kind === 'moved' || !armed.pressed) {
    const hit = event.composedPath()[0];
    const reached = hit instanceof Element && (reaches(hit, armed.el) || event.composedPath().includes(armed.el));
    armed[kind] = { hit: reached, received: hit instanceof Element ? tagOf(coverOf(hit, armed.el)) : null };
  }
  if (kind === 'pressed' && !armed.pressed.hit) {
    event.preventDefault();
    event.stopImmediatePropagation();
  }
}

/** Whether the input that followed `ready` reached the element, and what received it otherwise. */
function confirm() {
  const verdict = disarm();
  if (!verdict) return { ok: true, hit: false, received: null };
  return { ok: true, hit: verdict.hit, received: verdict.hit ? null : verdict.received };
}

const REMEMBERED = () => {
  if (!target || !isConnected(target)) throw new Trouble('gone', 'the element left the document before it could be used');
  return target;
};

const SET_DIRECTLY = /^(date|time|datetime-local|month|week|color|range|number)$/;

/** Focuses the remembered element with all its text selected, for typing; sets it at once where typing is no way. */
function fillPrepare({ text }) {
  const el = REMEMBERED();
  focusElement(el);
  if (el instanceof HTMLInputElement && SET_DIRECTLY.test(el.type)) {
    el.value = text;
    const wanted = el.type === 'color' ? text.toLowerCase() : text;
    if (el.value !== wanted && Number(el.value) !== Number(text)) {
      throw new Trouble('not-editable', `${tagOf(el)} does not accept "${text}"; it holds "${el.value}"`);
    }
    announce(el);
    return { ok: true, mode: 'set' };
  }
  if (el instanceof HTMLInputElement || el instanceof HTMLTextAreaElement) el.select();
  else getSelection().selectAllChildren(el);
  return { ok: true, mode: 'type' };
}

function announce(el) {
  el.dispatchEvent(new Event('input', { bubbles: true, composed: true }));
  el.dispatchEvent(new Event('change', { bubbles: true }));
}

/** Selects options of the remembered <select> by value or label; several only where several may be. */
function choose({ choices }) {
  const el = REMEMBERED();
  if (!(el instanceof HTMLSelectElement)) throw new Trouble('not-editable', `${tagOf(el)} is no <select>: click its options instead`);
  const options = [...el.options];
  const wanted = choices.map((choice) => options.find((option) => option.value === choice) ?? options.find((option) => fold(option.label) === fold(choice)) ?? options.find((option) => isCalled(option.label, choice)) ?? choice);
  const absent = wanted.find((option) => typeof option === 'string');
  if (absent !== undefined) throw new Trouble('missing', `${tagOf(el)} has no option "${absent}"`, options.slice(0, 12).map(({ label }) => label));
  const barred = wanted.find((option) => matchesCss(option, ':disabled'));
  if (barred) throw new Trouble('not-enabled', `option "${barred.label}" is disabled`);
  if (wanted.length !== 1 && !el.multiple) throw new Trouble('not-editable', `${tagOf(el)} takes one choice, not ${wanted.length}`);
  focusElement(el);
  for (const option of options) option.selected = wanted.includes(option);
  announce(el);
  return { ok: true, chosen: wanted.map(({ label }) => label) };
}

function focusTarget() {
  const el = REMEMBERED();
  focusElement(el);
  return { ok: true, focused: deepActive() === el };
}

function scrollToY({ y }) {
  scrollTo({ top: y, behavior: 'instant' });
  return { ok: true, value: scrollY };
}
