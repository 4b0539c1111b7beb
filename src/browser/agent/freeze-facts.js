// What a capture knows beside elements and text: the document, images, drawings, links, generated boxes, scrollers,
// animations, style sheets, and declared fonts.
//
// Each list is sorted by element or by the order of the document, so that equal pages give equal bytes. It
// deliberately lists no finite animations: whether one is still there depends on the moment.

const PSEUDOS = ['before', 'after'];
const SHAPES = 'path, circle, rect, ellipse, line, polyline, polygon, use, text, image';
const SHAPE_DATA = ['d', 'points', 'cx', 'cy', 'r', 'rx', 'ry', 'x', 'y', 'x1', 'y1', 'x2', 'y2', 'width', 'height', 'href'];
// Elements on which a page may open a shadow tree.
const HOSTS = new Set('article aside blockquote div footer header main nav p section span'.split(' '));
const MOST_HOSTS = 64;
const metaOf = (name) => attributeOrNull(querySelectorAll(document, `meta[name="${name}" i]`)[0], 'content');
const attributeOrNull = (el, name) => (el ? attributeOf(el, name) : null);
const compatModeOf = getterOf(Document, 'compatMode');
const styleSheetsOf = getterOf(Document, 'styleSheets');

class Facts {
  constructor(styles, indices) {
    this.styles = styles;
    this.indices = indices;
    this.hosts = [];
    this.found = { pseudos: [], images: [], drawings: [], links: [], scrollers: [] };
  }

  add(el, element, at) {
    const tag = localNameOf(el);
    const lists = this.found;
    if (at.box) {
      for (const kind of PSEUDOS) this.pseudo(el, element, at, kind);
      this.scroller(el, element, at);
      if (at.style.backgroundImage.includes('url(')) this.backgrounds(element, at);
      if (tag === 'svg') lists.drawings.push(drawingOf(el, element));
      this.host(el, element, tag);
    }
    if (tag === 'li' || tag === 'summary') this.pseudo(el, element, at, 'marker');
    if ((tag === 'input' || tag === 'textarea') && attributeOf(el, 'placeholder')) this.pseudo(el, element, at, 'placeholder');
    if (tag === 'dialog' && matchesCss(el, ':modal')) this.pseudo(el, element, at, 'backdrop');
    const image = imageOf(el, tag);
    if (image) lists.images.push({ element, ...image });
    if (tag === 'a' || tag === 'area') lists.links.push({ element, ...linkOf(el) });
  }

  pseudo(el, element, at, kind) {
    const style = styleOf(el, `::${kind}`);
    const generated = kind === 'before' || kind === 'after';
    if (generated && (style.content === 'none' || style.content === 'normal' || style.display === 'none')) return;
    if (kind === 'marker' && (at.style.listStyleType === 'none' || at.style.display !== 'list-item')) return;
    const content = kind === 'placeholder' ? attributeOf(el, 'placeholder') : addressed(style.content);
    const box = generated && /absolute|fixed/.test(style.position) ? positionedBox(el, at, style) : undefined;
    this.found.pseudos.push({ element, kind, content: shorten(content, MOST_CHARACTERS), box, size: [style.width, style.height], style: this.styles.row(style) });
  }

  scroller(el, element, at) {
    const content = [scrollWidthOf(el), scrollHeightOf(el)];
    const client = [clientWidthOf(el), clientHeightOf(el)];
    if (client[0] && (content[0] > client[0] || content[1] > client[1]) && at.style.display !== 'inline') {
      this.found.scrollers.push({ element, content, client, scrolled: [rounded(scrollLeftOf(el)), rounded(scrollTopOf(el))] });
    }
  }

  backgrounds(element, at) {
    for (const [, src] of at.style.backgroundImage.matchAll(/url\("((?:[^"\\]|\\.)*)"\)/g)) {
      this.found.images.push({ element, kind: 'background', src: addressed(src), loaded: true });
    }
  }

  // A closed shadow tree cannot be told from here; what might hold one is left for the browser to say.
  host(el, element, tag) {
    if (this.hosts.length >= MOST_HOSTS || shadowRootOf(el) || !hasArea(rectOf(el))) return;
    if (tag.includes('-') || (HOSTS.has(tag) && !childNodesOf(el).length)) this.hosts.push([el, element]);
  }

  page() {
    const root = documentElementOf(document);
    const style = styleOf(root);
    const scroller = scrollingElementOf(document) ?? root;
    const matches = (query) => matchMedia(query).matches;
    const scheme = style.colorScheme;
    const dark = matches('(prefers-color-scheme: dark)');
    const darkCanvas = scheme.includes('dark') && (dark || !scheme.includes('light'));
    return {
      url: addressed(location.href), title: collapse(titleOf(document)), lang: attributeOf(root, 'lang') ?? '', direction: style.direction,
      meta_viewport: metaOf('viewport'), meta_description: metaOf('description'), theme_colour: metaOf('theme-color'),
      colour_scheme: scheme, canvas: darkCanvas ? 'rgb(18, 18, 18)' : 'rgb(255, 255, 255)', quirks: compatModeOf(document) === 'BackCompat',
      window: [innerWidth, innerHeight], client: [clientWidthOf(root), clientHeightOf(root)], extent: [scrollWidthOf(scroller), scrollHeightOf(scroller)],
      scrolled: [rounded(scrollX), rounded(scrollY)], scale: devicePixelRatio, zoom: rounded(visualViewport.scale),
      media: { dark, reduced_motion: matches('(prefers-reduced-motion: reduce)'), coarse_pointer: matches('(pointer: coarse)'), hover: matches('(hover: hover)') },
    };
  }

  lists() {
    return { ...this.found, animations: animationFacts(this.indices), sheets: sheetFacts(), font_faces: fontFacts() };
  }
}

function imageOf(el, tag) {
  if (tag === 'img' || (tag === 'input' && attributeOf(el, 'type') === 'image')) {
    const src = addressed(el.currentSrc || el.src || '');
    const loaded = tag === 'input' || (el.complete && el.naturalWidth > 0);
    return { kind: 'img', src, natural: [el.naturalWidth ?? 0, el.naturalHeight ?? 0], loaded, lazy: wasLazy.has(el) || el.loading === 'lazy', alt: attributeOf(el, 'alt') };
  }
  if (tag === 'video') return { kind: 'video', src: addressed(el.currentSrc || el.poster || ''), natural: [el.videoWidth, el.videoHeight], loaded: el.readyState > 1 };
  if (tag === 'canvas') return { kind: 'canvas', natural: [el.width, el.height], loaded: true };
  return null;
}

function linkOf(el) {
  const href = attributeOf(el, 'href');
  const to = href === null ? '' : String(el.href?.baseVal ?? el.href);
  const fragment = to.split('#')[1];
  const here = fragment !== undefined && to.split('#')[0] === location.href.split('#')[0];
  const found = here && fragment ? querySelectorAll(document, `[id="${CSS.escape(unescaped(fragment))}"], a[name="${CSS.escape(unescaped(fragment))}"]`).length > 0 : here ? true : null;
  return { href: href === null ? null : shorten(addressed(href), MOST_CHARACTERS), to: shorten(addressed(to), MOST_CHARACTERS), target: attributeOf(el, 'target') ?? '', found };
}

function unescaped(fragment) {
  try {
    return decodeURIComponent(fragment);
  } catch {
    return fragment;
  }
}

function drawingOf(svg, element) {
  const shapes = querySelectorAll(svg, SHAPES);
  const colours = new Set();
  const strokes = new Set();
  let data = '';
  for (const shape of shapes.slice(0, 2000)) {
    data += localNameOf(shape) + SHAPE_DATA.map((name) => attributeOf(shape, name) ?? '').join(',');
    if (shapes.length > 100) continue;
    const { fill, stroke, strokeWidth } = styleOf(shape);
    if (fill !== 'none') colours.add(fill);
    if (stroke !== 'none') strokes.add(strokeWidth) && colours.add(stroke);
  }
  const texts = querySelectorAll(svg, 'text').slice(0, 50).map((text) => shorten(collapse(text.textContent), MOST_CHARACTERS));
  return { element, view_box: attributeOf(svg, 'viewBox') ?? '', shapes: shapes.length, texts, colours: [...colours].sort().slice(0, 16), strokes: [...strokes].sort(), digest: hashOf(data) };
}

/** The box of an absolutely positioned pseudo-element, from its offsets in its containing block. */
function positionedBox(el, at, style) {
  const [width, height, left, top] = [style.width, style.height, style.left, style.top].map(parseFloat);
  if ([width, height, left, top].some(Number.isNaN)) return undefined;
  const holder = [...flatAncestors(el)].find((node) => styleOf(node).position !== 'static');
  const frame = style.position === 'fixed' ? { left: 0, top: 0 } : holder ? paddingBox(holder) : { left: -at.frame.dx, top: -at.frame.dy };
  const more = style.boxSizing === 'border-box' ? [0, 0] : ['Left', 'Top'].map((side, i) => parseFloat(style[`padding${side}`]) + parseFloat(style[`padding${i ? 'Bottom' : 'Right'}`])
    + parseFloat(style[`border${side}Width`]) + parseFloat(style[`border${i ? 'Bottom' : 'Right'}Width`]));
  return boxOf({ left: frame.left + left, top: frame.top + top, width: width + more[0], height: height + more[1] }, at.frame);
}

function animationFacts(indices) {
  const facts = allAnimations().filter((animation) => isLasting(animation)).map((animation) => {
    const { effect } = animation;
    const { duration, delay, iterations, easing } = effect.getTiming();
    const frames = effect.getKeyframes();
    const bound = isBound(animation);
    return {
      element: indices.get(effect.target) ?? null, pseudo: effect.pseudoElement ?? '',
      kind: animation instanceof CSSAnimation ? 'css' : animation instanceof CSSTransition ? 'transition' : 'script',
      name: animation.animationName ?? animation.transitionProperty ?? animation.id,
      duration: bound || typeof duration !== 'number' ? 0 : duration, delay: typeof delay === 'number' ? delay : 0, iterations: Number.isFinite(iterations) ? iterations : null,
      timeline: bound ? (isViewBound(animation) ? 'view' : 'scroll') : 'time',
      easings: [...new Set([easing, ...frames.map((frame) => frame.easing)])].sort(),
      properties: [...new Set(frames.flatMap(Object.keys))].filter((key) => !['offset', 'computedOffset', 'easing', 'composite'].includes(key)).sort(),
    };
  });
  return facts.sort((a, b) => (a.element ?? -1) - (b.element ?? -1) || (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
}

function sheetFacts() {
  const facts = [...styleSheetsOf(document)].map((sheet) => ({ href: addressed(sheet.href ?? ''), media: sheet.media.mediaText, rules: rulesOf(sheet), loaded: true }));
  // A sheet that never came has no entry in the list; its link element does.
  const missing = querySelectorAll(document, 'link[rel~="stylesheet" i][href]:not([disabled])').filter((link) => !link.sheet);
  return [...facts, ...missing.map((link) => ({ href: addressed(link.href), media: link.media, rules: null, loaded: false }))];
}

function rulesOf(sheet) {
  try {
    return sheet.cssRules.length;
  } catch {
    return null;
  }
}

function fontFacts() {
  const faces = [...fontsOf(document)].map(({ family, weight, style, status }) => ({ family: family.replace(/^["']|["']$/g, ''), weight, style, status }));
  return faces.sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
}
