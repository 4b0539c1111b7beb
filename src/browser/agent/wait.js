// Waiting inside the page: asked at once, then after whatever may have changed the answer, until satisfied or too late.
//
// Never a busy loop: between two questions lies a change, a frame while something animates, or 100 ms; an expensive
// question is asked less often.

/** What a wait saw, each sentence once, oldest first. */
class Log {
  lines = [];
  say(line) {
    if (!this.lines.includes(line) && this.lines.length < 30) this.lines.push(line);
  }
}

const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/** The next frame; a page that paints no frames is not waited for longer than 100 ms. */
const frame = () => new Promise((resolve) => {
  const timer = setTimeout(resolve, 100);
  requestAnimationFrame(() => {
    clearTimeout(timer);
    resolve();
  });
});

/** Asks `attempt(elapsed ms)` until its answer is `done` or `timeout` ms are over; the last answer counts. */
async function until(timeout, attempt) {
  const start = now();
  let watch = null;
  try {
    for (;;) {
      const began = now();
      const answer = await attempt(began - start);
      const ended = now();
      if (answer.done || began - start >= timeout) return answer;
      watch ??= new Watch();
      await watch.change(Math.max(0, timeout - (ended - start)), 2 * (ended - began));
    }
  } finally {
    watch?.stop();
  }
}

const SIGNS = ['input', 'change', 'focusin', 'focusout', 'scroll', 'resize', 'load', 'error', 'hashchange', 'popstate', 'toggle',
  'transitionend', 'animationend', 'pointerup', 'keyup', 'slotchange'];

/** Notices changes of the document, of its open shadow roots, and the events that change what can be seen. */
class Watch {
  observer = new MutationObserver(() => this.sign());
  observed = new Set();
  dirty = false;
  wake = null;
  sign = () => {
    this.dirty = true;
    this.wake?.();
  };

  constructor() {
    for (const name of SIGNS) addEventListener(name, this.sign, { capture: true, passive: true });
  }

  /** Resolves after a change, after 100 ms, or after `left` ms; never before `rest` ms. */
  async change(left, rest) {
    for (const root of rootsUnder(document)) {
      if (this.observed.has(root)) continue;
      this.observed.add(root);
      this.observer.observe(root, { subtree: true, childList: true, attributes: true, characterData: true });
    }
    this.dirty = false;
    const most = Math.min(100, left);
    if (rest > 1) await sleep(Math.min(rest, most));
    if (this.dirty || rest >= most) return;
    await new Promise((resolve) => {
      const timer = setTimeout(resolve, most);
      const soon = isAnimating() ? requestAnimationFrame(() => this.wake?.()) : 0;
      this.wake = () => {
        this.wake = null;
        clearTimeout(timer);
        cancelAnimationFrame(soon);
        resolve();
      };
    });
    this.wake = null;
  }

  stop() {
    this.observer.disconnect();
    for (const name of SIGNS) removeEventListener(name, this.sign, { capture: true });
  }
}

const isAnimating = () => documentAnimations(document).some((animation) => animation.playState === 'running');

/** A reply about the element that `request.at` means, asked until `judge(el, log)` is done; troubles become data. */
async function withOne(request, log, judge) {
  const trail = newTrail(request);
  const answer = await until(request.timeout ?? 0, async (elapsed) => {
    trail.patient = elapsed < (request.grace ?? 1000);
    trail.hook = null;
    try {
      const el = findOne(request, trail);
      log.say(`${request.at.text} is ${describe(el)}`);
      return await judge(el);
    } catch (trouble) {
      if (!(trouble instanceof Trouble)) throw trouble;
      log.say(trouble.message);
      // A locator that cannot be understood will not be understood later.
      return { done: trouble.error === 'bad-locator', ok: false, ...trouble };
    }
  });
  return finish(answer, trail, log);
}

const newTrail = (request) => ({ known: new Set(request.known ?? []), patient: true, either: false, hook: null });

function finish({ done: _, ...answer }, trail, log) {
  if (trail.hook?.used_fallback) log.say(`hook "${trail.hook.name}" is missing; its fallback was used`);
  return { ...answer, hook: trail.hook, log: log.lines };
}
