// The three predicates: rendered (has a box), seen (can be looked at), operable (can be worked). Each says why not.
//
// There is deliberately no single "visible". Contrast, colours, and what another element paints over are not judged
// here; only whether a pointer at the element would reach it.

const YES = Object.freeze({ ok: true, why: null });
const no = (why) => ({ ok: false, why });
const on = (node, el) => (node === el ? '' : ` on ${tagOf(node)}`);

/** Whether the element has a box; an element that is display: contents has those of its children. */
function rendered(el) {
  if (!isConnected(el)) return no('it is not in the document');
  if (checkVisibility(el)) return YES;
  const why = notRenderedBecause(el);
  return why === null ? YES : no(why);
}

function notRenderedBecause(el) {
  let inner = null;
  for (const node of flatAncestors(el)) {
    const style = styleOf(node);
    if (style.display === 'none') return `display: none${on(node, el)}`;
    if (inner && node instanceof HTMLDetailsElement && !node.open && !isSummaryOf(node, inner)) return `inside the closed ${tagOf(node)}`;
    if (inner && style.contentVisibility === 'hidden') return `content-visibility: hidden${on(node, el)}`;
    inner = node;
  }
  if (styleOf(el).display === 'contents') return contentBoxes(el).length ? null : 'display: contents without rendered content';
  return 'it has no box';
}

const isSummaryOf = (details, node) => node === [...childNodesOf(details)].find((child) => isElement(child) && localNameOf(child) === 'summary');

/** The boxes of what an element without an own box contains: [holder, rect, whether the rect is text inside it]. */
function contentBoxes(el) {
  const boxes = [];
  const stack = [el];
  for (let budget = 300; stack.length && budget && !boxes.length; budget--) {
    const node = stack.pop();
    if (styleOf(node).contentVisibility === 'hidden') continue;
    for (const child of flatChildren(node)) {
      if (isText(child) && child.data.trim()) boxes.push(...textRects(child).map((rect) => [node, rect, true]));
      if (!isElement(child)) continue;
      const own = [...rectsOf(child)].filter(hasArea);
      if (own.length) boxes.push(...own.map((rect) => [child, rect]));
      else stack.push(child);
    }
  }
  return boxes;
}

/** The boxes by which an element is looked at and aimed at: its own, else those of its content. */
function boxesOf(el) {
  const own = [...rectsOf(el)].filter(hasArea).map((rect) => [el, rect]);
  return own.length ? own : contentBoxes(el);
}

function textRects(text) {
  const range = createRange(document);
  range.selectNodeContents(text);
  return [...range.getClientRects()].filter(hasArea);
}

const hasArea = (rect) => rect.width > 0 && rect.height > 0;

/** Whether a person could look at the element, perhaps after scrolling. */
function seen(el) {
  const base = rendered(el);
  if (!base.ok) return base;
  if (styleOf(el).visibility !== 'visible') return no('visibility: hidden');
  const veil = transparentBy(el);
  if (veil) return no(veil);
  const boxes = boxesOf(el);
  if (!boxes.length) return no('its box has no area');
  let why = null;
  for (const [holder, rect, inside] of boxes) {
    const part = visiblePart(holder, rect, inside);
    if (part.ok) return YES;
    why ??= part.why;
  }
  return no(why);
}

function transparentBy(el) {
  let opacity = 1;
  for (const node of flatAncestors(el)) {
    opacity *= Number(styleOf(node).opacity);
    if (opacity < 0.01) return `opacity: ${styleOf(node).opacity}${on(node, el)}`;
  }
  return null;
}

/** What remains of a box after clipping by its ancestors; scroll containers may bring it into view. */
function visiblePart(el, rect, inside = false) {
  let box = { left: rect.left, right: rect.right, top: rect.top, bottom: rect.bottom };
  let position = inside ? 'static' : styleOf(el).position;
  for (const node of flatAncestors(el)) {
    const style = styleOf(node);
    const cut = clipOf(node, style);
    if (cut) {
      box = intersect(box, cut.box);
      if (!isEnough(box)) return no(`clipped to nothing by ${cut.name}${on(node, el)}`);
    }
    if ((node === el && !inside) || !holds(node, style, position)) continue;
    position = style.position;
    if (isViewportBox(node) || /^(inline|contents)$/.test(style.display)) continue;
    for (const axis of AXES) {
      const overflow = style[axis.overflow];
      if (overflow === 'visible') continue;
      box = overflow === 'auto' || overflow === 'scroll' ? scrolledInto(node, style, box, axis) : cutTo(paddingBox(node), box, axis);
      if (!isEnough(box)) return no(`clipped to nothing by ${axis.css}: ${overflow}${on(node, el)}`);
    }
  }
  return inDocument(box, position);
}

const AXES = [
  { start: 'left', end: 'right', overflow: 'overflowX', css: 'overflow-x', client: clientWidthOf, size: scrollWidthOf, scrolled: scrollLeftOf, view: () => innerWidth },
  { start: 'top', end: 'bottom', overflow: 'overflowY', css: 'overflow-y', client: clientHeightOf, size: scrollHeightOf, scrolled: scrollTopOf, view: () => innerHeight },
];

// A visually hidden label is 1 px by 1 px: that much is not seen.
const isEnough = (box) => box.right > box.left && box.bottom > box.top && (box.right - box.left) * (box.bottom - box.top) > 1;
const intersect = (a, b) => ({ left: Math.max(a.left, b.left), right: Math.min(a.right, b.right), top: Math.max(a.top, b.top), bottom: Math.min(a.bottom, b.bottom) });
const cutTo = (frame, box, { start, end }) => ({ ...box, [start]: Math.max(box[start], frame[start]), [end]: Math.min(box[end], frame[end]) });

/** Whether `node` holds, and so may clip, a descendant with that position: absolute and fixed boxes escape the others. */
function holds(node, style, position) {
  if (position !== 'absolute' && position !== 'fixed') return true;
  if (position === 'absolute' && style.position !== 'static') return true;
  return style.transform !== 'none' || style.filter !== 'none' || style.perspective !== 'none' || style.backdropFilter !== 'none'
    || style.translate !== 'none' || style.rotate !== 'none' || style.scale !== 'none'
    || /paint|layout|strict|content/.test(style.contain) || /transform|filter|perspective/.test(style.willChange);
}

function paddingBox(node) {
  const { left, top } = rectOf(node);
  const box = { left: left + clientLeftOf(node), top: top + clientTopOf(node) };
  return { ...box, right: box.left + clientWidthOf(node), bottom: box.top + clientHeightOf(node) };
}

/** The box along one axis after the scroll container did its best to show it. */
function scrolledInto(node, style, box, axis) {
  const frame = paddingBox(node);
  const hidden = Math.max(0, axis.size(node) - axis.client(node));
  const backwards = axis.start === 'left' && style.direction === 'rtl';
  const offset = axis.scrolled(node);
  const reach = cutTo({ [axis.start]: frame[axis.start] - offset - (backwards ? hidden : 0), [axis.end]: frame[axis.end] - offset + (backwards ? 0 : hidden) }, box, axis);
  if (reach[axis.end] <= reach[axis.start]) return reach;
  const shown = cutTo(frame, box, axis);
  if (shown[axis.end] > shown[axis.start]) return shown;
  const length = Math.min(reach[axis.end] - reach[axis.start], frame[axis.end] - frame[axis.start]);
  return { ...box, [axis.start]: frame[axis.start], [axis.end]: frame[axis.start] + length };
}

/** The box that `clip` or `clip-path` leaves; shapes other than inset() and circle(0) are taken as showing something. */
function clipOf(node, style) {
  if (style.clip === 'auto' && style.clipPath === 'none') return null;
  const border = rectOf(node);
  const side = (text, length) => (text.endsWith('%') ? (parseFloat(text) / 100) * length : parseFloat(text) || 0);
  if (style.clip !== 'auto' && /^(absolute|fixed)$/.test(style.position)) {
    const [top, right, bottom, left] = style.clip.slice(5, -1).split(/[ ,]+/);
    const edge = (text, auto) => (text === 'auto' ? auto : parseFloat(text));
    return { name: 'clip', box: { left: border.left + edge(left, 0), right: border.left + edge(right, border.width), top: border.top + edge(top, 0), bottom: border.top + edge(bottom, border.height) } };
  }
  const [, shape, inside] = style.clipPath.match(/^(inset|circle|ellipse)\(([^)]*)\)/) ?? [];
  if (shape === 'inset') {
    const [top, right = top, bottom = top, left = right] = inside.split(' round ')[0].trim().split(/\s+/);
    return { name: 'clip-path', box: { left: border.left + side(left, border.width), right: border.right - side(right, border.width), top: border.top + side(top, border.height), bottom: border.bottom - side(bottom, border.height) } };
  }
  if (shape && /^0(px|%)?( |$)/.test(inside)) return { name: 'clip-path', box: { left: 0, right: 0, top: 0, bottom: 0 } };
  return null;
}

const isViewportBox = (node) => node === documentElementOf(document) || (node === bodyOf(document) && styleOf(documentElementOf(document)).overflowX === 'visible');

/** The overflow that the viewport uses: the root's, or the body's if the root declares none. */
const viewportOverflow = oncePerTurn(() => {
  const root = styleOf(documentElementOf(document));
  const body = bodyOf(document);
  const style = root.overflowX === 'visible' && root.overflowY === 'visible' && body ? styleOf(body) : root;
  return { overflowX: style.overflowX, overflowY: style.overflowY, backwards: root.direction === 'rtl' };
});

/** Whether a box lies where the page can be scrolled to; below the fold is inside. */
function inDocument(box, position) {
  const root = scrollingElementOf(document) ?? documentElementOf(document);
  const overflow = viewportOverflow();
  for (const axis of AXES) {
    const stuck = position === 'fixed' || /hidden|clip/.test(overflow[axis.overflow]);
    const offset = axis.scrolled(root);
    const end = stuck ? axis.view() : Math.max(axis.size(root) - offset, axis.view());
    const backwards = axis.start === 'left' && overflow.backwards ? axis.size(root) - axis.client(root) : 0;
    box = cutTo({ [axis.start]: stuck ? 0 : -offset - backwards, [axis.end]: end }, box, axis);
  }
  return isEnough(box) ? YES : no(position === 'fixed' ? 'fixed outside the viewport' : 'outside what the page can scroll to');
}
