// Whether a control can be worked: enabled, not inert, and reached by a pointer at some point of it.

/** The element that disables this one (itself, its fieldset, an aria-disabled ancestor), or null. */
function disabledBy(el) {
  for (const node of flatAncestors(el)) {
    const disabled = matchesCss(node, node === el ? ':disabled' : 'button:disabled, select:disabled, optgroup:disabled');
    if (disabled || attributeOf(node, 'aria-disabled') === 'true') return node;
  }
  return null;
}

function enabled(el) {
  const by = disabledBy(el);
  if (!by) return YES;
  if (attributeOf(by, 'aria-disabled') === 'true') return no(`aria-disabled${on(by, el)}`);
  if (by !== el || hasAttribute(el, 'disabled')) return no(`disabled${on(by, el)}`);
  const fieldset = [...flatAncestors(el)].find((node) => matchesCss(node, 'fieldset[disabled]'));
  return no(`disabled${fieldset ? on(fieldset, el) : ''}`);
}

const TYPED = /^(text|search|email|tel|url|password|number|date|time|datetime-local|month|week|color|range)$/;

/** Whether text can be entered. */
function editable(el) {
  const typed = el instanceof HTMLTextAreaElement || (el instanceof HTMLInputElement && TYPED.test(el.type));
  if (!typed && !(el instanceof HTMLElement && el.isContentEditable)) return no(`${tagOf(el)} takes no text`);
  if (typed && el.readOnly) return no('readonly');
  return attributeOf(el, 'aria-readonly') === 'true' ? no('aria-readonly') : YES;
}

/** Why the element is inert, or null: an inert ancestor, or a modal dialog that it is not part of. */
function inertBy(el) {
  for (const node of flatAncestors(el)) if (hasAttribute(node, 'inert')) return `inert${on(node, el)}`;
  const modal = topModal();
  return modal && !flatContains(modal, el) ? `behind the modal ${tagOf(modal)}` : null;
}

/** The modal dialog that has the page, if one has. */
const topModal = oncePerTurn(() => {
  const modals = query(document, 'dialog:modal');
  if (modals.length < 2) return modals[0] ?? null;
  // The lower dialogs are inert and let the hit test through to the one on top, or to its backdrop.
  const { left, top, width, height } = rectOf(modals[0]);
  const hit = deepHit(left + width / 2, top + height / 2);
  const holder = hit && [...flatAncestors(hit)].find((node) => modals.includes(node));
  return holder ?? modals.at(-1);
});

/** The innermost element that a pointer at this point reaches, through open shadow roots. */
function deepHit(x, y) {
  let hit = elementFromPoint(document, x, y);
  while (hit && shadowRootOf(hit)) {
    const inner = shadowRootOf(hit).elementFromPoint(x, y);
    if (!inner || inner === hit || getRootNode(inner) !== shadowRootOf(hit)) break;
    hit = inner;
  }
  return hit;
}

/**
 * Whether a pointer event on `hit` works `el`: it is inside it, or inside its label; or it is the control of the label
 * that `el` is a part of. A touch on a label's text is moved to the control beside it, and does what was meant.
 */
function reaches(hit, el) {
  const meant = [...flatAncestors(el)].find((node) => node instanceof HTMLLabelElement)?.control;
  for (const node of flatAncestors(hit)) {
    if (node === el || (meant && node === meant)) return true;
    if (node instanceof HTMLLabelElement && node.control === el) return true;
  }
  return false;
}

const INTERACTIVE = 'a[href], button, input, select, textarea, summary, label, [role=button], [role=link], [role=checkbox], [role=switch], [role=tab], [role=menuitem]';
const SPOTS = [[0.5, 0.5], [0.25, 0.25], [0.75, 0.25], [0.25, 0.75], [0.75, 0.75]];

/** A point at which a pointer reaches the element: {x, y}, or {why} if there is none in the viewport now. */
function hitPoint(el) {
  let second = null;
  let cover = null;
  for (const [, rect] of boxesOf(el)) {
    const box = intersect(rect, { left: 0, top: 0, right: innerWidth, bottom: innerHeight });
    if (!isEnough(box)) continue;
    for (const [across, down] of SPOTS) {
      const x = box.left + (box.right - box.left) * across;
      const y = box.top + (box.bottom - box.top) * down;
      const hit = deepHit(x, y);
      if (!hit || !reaches(hit, el)) {
        cover ??= hit;
        continue;
      }
      // In a card, a person aims beside the card's own buttons.
      const nested = [...upTo(hit, el)].some((node) => matchesCss(node, INTERACTIVE));
      if (!nested) return { x, y };
      second ??= { x, y };
    }
  }
  if (second) return second;
  return { why: cover ? `covered by ${tagOf(coverOf(cover, el))}` : 'no point of it is in the viewport', covered: Boolean(cover) };
}

function* upTo(inner, outer) {
  for (const node of flatAncestors(inner)) {
    if (node === outer) return;
    yield node;
  }
}

/** The outermost part of what covers: the banner, rather than the paragraph in it. */
function coverOf(hit, el) {
  if (!isConnected(el)) return hit;
  let cover = hit;
  for (const node of flatAncestors(hit)) {
    if (node === documentElementOf(document) || node === bodyOf(document) || flatContains(node, el)) break;
    cover = node;
  }
  return cover;
}

const ALIGNMENTS = ['center', 'end', 'start'];
const bring = (el, block) => {
  scrollIntoView(boxesOf(el)[0]?.[0] ?? el, { behavior: 'instant', block, inline: 'nearest' });
};

/** Whether a person could work the element now; the page is scrolled to try, and scrolled back. */
function operable(el) {
  const reason = [() => seen(el), () => enabled(el), () => (inertBy(el) ? no(inertBy(el)) : YES)].map((ask) => ask()).find((answer) => !answer.ok);
  if (reason) {
    const label = reason.why && proxyLabel(el);
    return label && enabled(el).ok && !inertBy(el) ? operable(label) : reason;
  }
  let point = hitPoint(el);
  if (point.why) {
    const scrolled = [...flatAncestors(el)].map((node) => [node, scrollLeftOf(node), scrollTopOf(node)]);
    for (const block of ALIGNMENTS) {
      bring(el, block);
      point = hitPoint(el);
      if (!point.why) break;
    }
    for (const [node, left, top] of scrolled) node.scrollTo({ left, top, behavior: 'instant' });
  }
  return point.why ? no(point.why) : YES;
}

/** The label that stands for a check box, radio button, or file input which is itself kept out of sight. */
function proxyLabel(el) {
  if (!(el instanceof HTMLInputElement) || !/^(checkbox|radio|file)$/.test(el.type) || seen(el).ok) return null;
  return labelsOf(el).find((label) => seen(label).ok) ?? null;
}
