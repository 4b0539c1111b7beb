// The door: one request, one flat JSON reply. Whatever goes wrong in here is told as data, never thrown at Rust.

const OPS = {
  read,
  expect: expectation,
  wait: waitFor,
  ready,
  confirm,
  fill_prepare: fillPrepare,
  choose,
  focus: focusTarget,
  scroll: () => (bring(REMEMBERED(), 'center'), { ok: true }),
  scroll_to: scrollToY,
  checked_state: () => ({ ok: true, value: checkedOf(REMEMBERED()) }),
  focus_shown: focusShown,
  focus_taken: focusTaken,
  stop,
  settle_dom: settleDom,
  frame_box: frameBox,
  frame_hit: frameHit,
};

async function run(request) {
  try {
    const op = OPS[request.op];
    if (!op) throw new Trouble('bad-request', `unknown operation "${request.op}"`);
    return JSON.stringify(await op(request));
  } catch (trouble) {
    const known = trouble instanceof Trouble;
    return JSON.stringify({ ok: false, log: [], candidates: [], ...(known ? trouble : { error: 'agent', message: `${trouble?.stack ?? trouble}` }) });
  }
}

const STATES_TO_WAIT = { detached: null, hidden: null, attached: () => YES, visible: seen, operable };

async function waitFor(request) {
  const log = new Log();
  const state = request.state ?? 'visible';
  if (!(state in STATES_TO_WAIT)) throw new Trouble('bad-request', `unknown state "${state}"`);
  if (STATES_TO_WAIT[state]) {
    return withOne(request, log, (el) => {
      const answer = STATES_TO_WAIT[state](el);
      if (!answer.ok) log.say(`${tagOf(el)} is not ${state}: ${answer.why}`);
      return answer.ok ? { done: true, ok: true, element: describe(el) } : { done: false, ok: false, error: 'timeout', message: `${describe(el)} is not ${state}: ${answer.why}`, candidates: [] };
    });
  }
  const trail = { ...newTrail(request), either: true };
  const answer = await until(request.timeout ?? 0, () => {
    trail.hook = null;
    const left = find(request.at.steps, trail).filter((el) => state === 'detached' || seen(el).ok);
    if (left.length) log.say(`still there: ${describe(left[0])}`);
    return left.length ? { done: false, ok: false, error: 'timeout', message: `${describe(left[0])} is still ${state === 'hidden' ? 'seen' : 'attached'}`, candidates: [] } : { done: true, ok: true };
  });
  return finish(answer, trail, log);
}

/** The iframe element that steps mean, for Rust to find its document; waits until it is attached. */
async function frameElement(at, timeout) {
  let element = null;
  const answer = await withOne({ at, timeout }, new Log(), (el) => {
    element = el;
    return { done: true, ok: true };
  });
  if (!answer.ok) throw new Error(answer.message);
  if (!matchesCss(element, 'iframe, frame, object, embed')) throw new Error(`${describe(element)} is no frame`);
  return element;
}

/** Where the content of an iframe begins in this document's viewport, in CSS px. */
function frameBox({ at }) {
  const el = findOne({ at }, newTrail({}));
  const { left, top } = rectOf(el);
  const style = styleOf(el);
  return { ok: true, x: left + clientLeftOf(el) + parseFloat(style.paddingLeft), y: top + clientTopOf(el) + parseFloat(style.paddingTop) };
}

/** Why a pointer at this point does not reach the document in an iframe, or null. */
function frameHit({ at, x, y }) {
  const el = findOne({ at }, newTrail({}));
  const inert = inertBy(el);
  if (inert) return { ok: true, why: `${tagOf(el)} is ${inert}` };
  const hit = deepHit(x, y);
  if (hit === el) return { ok: true, why: null };
  return { ok: true, why: hit ? `${tagOf(el)} is covered by ${tagOf(coverOf(hit, el))}` : `that part of ${tagOf(el)} is not in the viewport` };
}

const loupe = { run, freeze, frame: frameElement, target: () => target };
