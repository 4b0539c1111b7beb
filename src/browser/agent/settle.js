// Settling: the page has loaded, its fonts and pictures are there, and its document is quiet. Each is named if it is not.
//
// The network is Rust's part: the page cannot see its own requests. `ticking_ms` is for those who will not wait for a
// clock to stop: so long after the last change of anything that had not changed before, what still changes ticks.

async function settleDom({ quiet_ms: quiet, cap_ms: cap, ticking_ms: patience = cap }) {
  const start = now();
  const last = { when: start, what: null, fresh: start };
  const changed = new Set();
  const observer = new MutationObserver((records) => {
    last.when = now();
    last.what = records.at(-1).target;
    if (records.some(({ target }) => !changed.has(target))) last.fresh = last.when;
    records.forEach(({ target }) => changed.add(target));
  });
  for (const root of rootsUnder(document)) observer.observe(root, { subtree: true, childList: true, attributes: true, characterData: true });
  try {
    for (;;) {
      const pending = await unsettled(Math.max(0, start + cap - now()));
      const rest = last.when + quiet - now();
      if (!pending.length && rest <= 0) return { ok: true, settled: true, pending: [] };
      const ticks = !pending.length && now() - last.fresh >= patience;
      if (ticks || now() - start >= cap) {
        if (rest > 0 && last.what) pending.push(`document: ${nodeName(last.what)} keeps changing`);
        return { ok: true, settled: !pending.length, pending };
      }
      await sleep(Math.min(50, Math.max(1, rest)));
    }
  } finally {
    observer.disconnect();
  }
}

const nodeName = (node) => (isElement(node) ? tagOf(node) : parentNodeOf(node) && isElement(parentNodeOf(node)) ? tagOf(parentNodeOf(node)) : 'the document');

async function unsettled(left) {
  const pending = [];
  if (readyStateOf(document) !== 'complete') pending.push(`load: the document is ${readyStateOf(document)}`);
  const fonts = fontsOf(document);
  for (const face of fonts) if (face.status === 'loading') pending.push(`font: ${face.family}`);
  for (const root of rootsUnder(document)) {
    for (const image of querySelectorAll(root, 'img')) {
      if (!image.complete && !(image.loading === 'lazy' && !isNear(image))) pending.push(`image: ${shorten(image.currentSrc || image.src, 120)}`);
      else if (image.complete && image.naturalWidth && !decoded.has(image)) await decode(image, left);
    }
  }
  return pending;
}

// A lazy image out of view is not on its way.
const isNear = (image) => {
  const { top, bottom } = rectOf(image);
  return bottom > 0 && top < innerHeight;
};

const decoded = new WeakSet();
async function decode(image, left) {
  decoded.add(image);
  await Promise.race([image.decode().catch(() => {}), sleep(Math.min(left, 500))]);
}

async function settledExpectation({ timeout, args }) {
  const { settled, pending } = await settleDom({ quiet_ms: args?.quiet_ms ?? 200, cap_ms: timeout ?? 5000 });
  const received = settled ? 'settled' : `still busy: ${pending.join('; ')}`;
  return { ok: settled, ...(settled ? {} : { error: 'timeout', message: received }), expected: 'settled', received, log: pending, hook: null };
}
