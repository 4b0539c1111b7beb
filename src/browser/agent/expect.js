// Expectations: satisfied now, or by a change before the deadline; else what was expected and what was received.

const flag = (word, opposite, ask) => (el) => {
  const holds = ask(el);
  return { done: holds, expected: word, received: holds ? word : opposite(el) };
};

const EXPECT_ONE = {
  visible: flag('seen', (el) => `not seen: ${seen(el).why}`, (el) => seen(el).ok),
  enabled: flag('enabled', (el) => enabled(el).why, (el) => enabled(el).ok),
  disabled: flag('disabled', () => 'enabled', (el) => !enabled(el).ok),
  checked: flag('checked', (el) => (checkedOf(el) === 'mixed' ? 'mixed' : 'not checked'), (el) => checkedOf(el) === true),
  unchecked: flag('not checked', (el) => (checkedOf(el) === 'mixed' ? 'mixed' : 'checked'), (el) => !checkedOf(el)),
  choice: (el, { expected }) => compare(chosenIn(el) ?? 'nothing is chosen', expected, isCalled(chosenIn(el) ?? '', expected)),
  focus_within: flag('focus inside', () => focusedNow(), (el) => [...flatAncestors(deepActive() ?? bodyOf(document))].includes(el)),
  focused: flag('focused', () => focusedNow(), (el) => deepActive() === el),
  text: (el, { expected }) => compare(visibleText(el), expected, fold(visibleText(el)) === fold(expected)),
  contains: (el, { expected }) => compare(visibleText(el), expected, fold(visibleText(el)).includes(fold(expected))),
  value: (el, { expected }) => compare(valueOf(el), expected, same(valueOf(el), expected)),
  attribute: (el, { name, expected }) => compare(attributeOf(el, name), expected, attributeOf(el, name) === expected),
};

const compare = (received, expected, done) => ({ done, expected, received });
const same = (a, b) => (Array.isArray(a) || Array.isArray(b) ? JSON.stringify(a) === JSON.stringify(b) : collapse(String(a)) === collapse(String(b)));
const focusedNow = () => {
  const active = deepActive();
  return active && active !== bodyOf(document) ? `focus is on ${describe(active)}` : 'focus is nowhere (body)';
};

const EXPECT_ALL = {
  hidden: (request, trail) => {
    const shown = find(request.at.steps, trail).filter((el) => seen(el).ok);
    return compare(shown.length ? `seen: ${describe(shown[0])}` : 'not seen', 'not seen', !shown.length);
  },
  count: (request, trail) => {
    const { length } = find(request.at.steps, trail);
    return compare(length, request.args.expected, length === request.args.expected);
  },
  target_size: (request, trail) => {
    const { expected } = request.args;
    const targets = seenTargets(find(request.at.steps, trail));
    if (!targets.length) return compare('nothing is seen', `at least ${expected} x ${expected} px`, false);
    const small = smallTargets(targets, expected);
    return compare(small.slice(0, 5).join(', ') || 'large enough', `at least ${expected} x ${expected} px`, !small.length);
  },
  items: (request, trail) => {
    const received = identities(request, trail);
    const { expected, ordered } = request.args;
    const arranged = (items) => JSON.stringify(ordered ? items : [...items].sort());
    return compare(received, expected, arranged(received) === arranged(expected));
  },
};

const EXPECT_PAGE = {
  url: ({ expected }) => compare(location.href, expected, urlFits(location, expected)),
  title: ({ expected }) => compare(collapse(titleOf(document)), expected, fold(titleOf(document)) === fold(expected)),
  no_motion: () => {
    const moving = lastingMotion();
    return compare(moving.slice(0, 5).join(', ') || 'nothing', 'nothing that keeps moving', !moving.length);
  },
  no_overflow: () => {
    const { by, culprits } = sidewaysOverflow();
    return compare(by ? `the page scrolls sideways by ${by} px: ${culprits.join(', ')}` : 'no sideways scrolling', 'no sideways scrolling', !by);
  },
};

// Satisfied by absence: the fallback has to be absent too, or a missing hook would pass for an empty result.
const wantsAbsence = ({ what, args }) => what === 'hidden' || (what === 'count' && args.expected === 0) || (what === 'items' && !args.expected.length);

async function expectation(request) {
  const { what } = request;
  const log = new Log();
  const ask = (answer) => {
    if (!answer.done) log.say(typeof answer.received === 'string' ? shorten(answer.received, 200) : `saw ${shorten(JSON.stringify(answer.received), 200)}`);
    return { ok: answer.done, ...(answer.done ? {} : { error: 'timeout', message: `expected ${what} was not seen` }), ...answer };
  };
  if (what === 'settled') return settledExpectation(request);
  if (EXPECT_ONE[what]) {
    const answer = await withOne(request, log, (el) => ask(EXPECT_ONE[what](el, request.args ?? {})));
    return answer.ok || 'received' in answer ? answer : { ...answer, expected: request.args?.expected ?? what, received: answer.message };
  }
  const trail = newTrail(request);
  const answer = await until(request.timeout ?? 0, (elapsed) => {
    trail.patient = elapsed < (request.grace ?? 1000);
    trail.hook = null;
    try {
      if (EXPECT_PAGE[what]) return ask(EXPECT_PAGE[what](request.args ?? {}));
      trail.either = wantsAbsence(request);
      return ask(EXPECT_ALL[what](request, trail));
    } catch (trouble) {
      if (!(trouble instanceof Trouble)) throw trouble;
      return { done: true, ok: false, ...trouble };
    }
  });
  return finish(answer, trail, log);
}

/** Whether an address fits a pattern in which `*` stands for anything: as a whole, from its path on, or its fragment. */
function urlFits({ href, pathname, search, hash }, pattern) {
  const source = pattern.split(/\*+/).map((part) => part.replace(/[\\^$.|?+()[\]{}]/g, '\\$&')).join('.*');
  const whole = new RegExp(`^${source}$`, 's');
  return [href, pathname + search + hash, pathname + search, pathname, hash].some((part) => whole.test(part));
}

/** By how many px a person can scroll the page sideways, and up to five elements that stick out. */
function sidewaysOverflow() {
  const root = scrollingElementOf(document) ?? documentElementOf(document);
  const width = clientWidthOf(root);
  const by = scrollWidthOf(root) - width;
  if (by <= 1 || /hidden|clip/.test(viewportOverflow().overflowX)) return { by: 0, culprits: [] };
  const backwards = styleOf(root).direction === 'rtl';
  const sticksOut = (el) => {
    const { left, right } = rectOf(el);
    return backwards ? left + scrollLeftOf(root) < -1 : right + scrollLeftOf(root) > width + 1;
  };
  const culprits = [];
  for (const el of elementsUnder(bodyOf(document) ?? root)) {
    if (culprits.length === 5) break;
    const parent = flatParent(el);
    if (!sticksOut(el) || (parent && parent !== bodyOf(document) && sticksOut(parent)) || !widens(el)) continue;
    culprits.push(tagOf(el));
  }
  return { by, culprits };
}

/** Whether an element that sticks out makes the page wider: not if it is fixed, or cut or scrolled by what holds it. */
function widens(el) {
  let position = styleOf(el).position;
  for (const node of [...flatAncestors(el)].slice(1)) {
    if (position === 'fixed') return false;
    if (isViewportBox(node)) break;
    const style = styleOf(node);
    if (!holds(node, style, position)) continue;
    if (style.overflowX !== 'visible') return false;
    position = style.position;
  }
  return position !== 'fixed';
}
