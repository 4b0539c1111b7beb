// Bringing a page to rest for a capture: animations held, lazy pictures fetched, every part scrolled into view once.
//
// Finite animations are finished, endless ones stopped at their start, those bound to a view are set to where the
// element is in the middle of the window. What a script draws frame by frame is deliberately left alone.

const STEP = 0.75;
const MOST_SCROLLERS = 4;
const scrollElement = methodOf(Element, 'scrollTo');
const jumpTo = (el, y) => scrollElement(el, { top: y, behavior: 'instant' });
const wasLazy = new WeakSet();
let held = [];

const allAnimations = () => rootsUnder(document).flatMap((root) => (root === document ? documentAnimations(root) : root.getAnimations())).filter((animation) => animation.effect?.target);
const isBound = (animation) => typeof ScrollTimeline === 'function' && animation.timeline instanceof ScrollTimeline;
const isViewBound = (animation) => typeof ViewTimeline === 'function' && animation.timeline instanceof ViewTimeline;
const isEndless = (animation) => animation.effect.getComputedTiming().endTime === Infinity;
const isLasting = (animation) => isBound(animation) || isEndless(animation);

/** Waits until the page is at rest. A page without scripts does not change by itself, so its quiet need not be watched. */
async function settle(limits) {
  const scripted = querySelectorAll(document, 'script, [onload], iframe').length > 0;
  return JSON.stringify(await settleDom(scripted ? limits : { ...limits, quiet_ms: 0 }));
}

/** Holds what moves; finishing one animation may start another, so it is asked for again until nothing moves. */
async function hold() {
  for (let round = 0; round < 3 && holdOnce(); round++) await twoFrames();
  return JSON.stringify({ held: held.length });
}

function holdOnce() {
  let moved = false;
  for (const animation of allAnimations()) {
    if (animation.playState !== 'running' || (isBound(animation) && !isViewBound(animation))) continue;
    if (isLasting(animation)) {
      animation.pause();
      animation.currentTime = isViewBound(animation) ? CSS.percent(50) : 0;
      held.push(animation);
    } else {
      try {
        animation.finish();
      } catch {
        continue; // It runs at rate 0: it does not move.
      }
    }
    moved = true;
  }
  return moved;
}

/** Lets go what was held, for a page that goes on being used. */
function release() {
  held.filter((animation) => animation.playState === 'paused').forEach((animation) => animation.play());
  held = [];
  return '{}';
}

/** Scrolls every part into view once and back; lazy pictures are fetched meanwhile. */
async function sweep({ cap_ms: cap, rest_ms: more, quiet_ms: quiet }) {
  const deadline = now() + cap;
  const pending = [];
  const lazy = rootsUnder(document).flatMap((root) => querySelectorAll(root, 'img[loading="lazy" i], iframe[loading="lazy" i]'));
  for (const el of lazy) {
    wasLazy.add(el);
    el.loading = 'eager';
  }
  const root = scrollingElementOf(document) ?? documentElementOf(document);
  const steps = [await sweepOne(root, innerHeight, deadline, pending)];
  for (const el of innerScrollers(root)) steps.push(await sweepOne(el, clientHeightOf(el), deadline, pending));
  const rest = await settleDom({ quiet_ms: quiet, cap_ms: Math.max(2 * quiet, more) });
  for (const el of lazy) el.loading = 'lazy';
  return JSON.stringify({ steps: steps.reduce((sum, n) => sum + n, 0), pending: [...pending, ...rest.pending] });
}

async function sweepOne(el, height, deadline, pending) {
  const before = scrollTopOf(el);
  const end = () => scrollHeightOf(el) - height;
  if (end() <= 0 || height <= 0) return 0;
  let steps = 0;
  // What stands in the window already was seen while the page settled.
  for (let y = before > 0 ? 0 : height * STEP; ; y += height * STEP, steps++) {
    if (now() > deadline) {
      pending.push(`sweep: ${tagOf(el)} was swept to ${Math.round(scrollTopOf(el))} px of ${scrollHeightOf(el)}`);
      break;
    }
    jumpTo(el, y);
    await twoFrames();
    if (y >= end()) break;
  }
  // The page itself goes back to its top; a part of it to where it was.
  jumpTo(el, el === scrollingElementOf(document) ? 0 : before);
  await twoFrames();
  return steps + 1;
}

/** Parts that scroll by themselves and fill a good part of the window. */
function innerScrollers(root) {
  const large = innerWidth * innerHeight * 0.3;
  const all = rootsUnder(document).flatMap((top) => querySelectorAll(top, '*'));
  return all.filter((el) => el !== root && scrollHeightOf(el) > clientHeightOf(el) + 1 && clientWidthOf(el) * clientHeightOf(el) >= large
    && /auto|scroll/.test(styleOf(el).overflowY) && !isViewportBox(el)).slice(0, MOST_SCROLLERS);
}

/** Two frames: what is scrolled into view is observed in the first and answered before the second. */
async function twoFrames() {
  for (let i = 0; i < 2; i++) await new Promise((resolve) => {
    requestAnimationFrame(resolve);
    setTimeout(resolve, 100); // A page that is not shown draws no frames.
  });
}

const drawn = async () => (await twoFrames(), '{}');
