// Text for a capture: runs, the lines they are broken into, and which fonts are worth asking the browser about.
//
// Text inside form controls and drawings is deliberately not here: it has no boxes that a page could read.

const MOST_LINES = 1000;
const SCRIPTS = [
  ['latin', /\p{Script=Latin}/u], ['greek', /\p{Script=Greek}/u], ['cyrillic', /\p{Script=Cyrillic}/u], ['han', /\p{Script=Han}/u],
  ['kana', /[\p{Script=Hiragana}\p{Script=Katakana}]/u], ['hangul', /\p{Script=Hangul}/u], ['arabic', /\p{Script=Arabic}/u],
  ['hebrew', /\p{Script=Hebrew}/u], ['devanagari', /\p{Script=Devanagari}/u], ['thai', /\p{Script=Thai}/u],
  ['emoji', /\p{Emoji_Presentation}|\u{fe0f}/u], ['symbols', /[\u2190-\u2bff]/u],
];

class Texts {
  constructor(styles) {
    this.styles = styles;
    this.runs = [];
    this.fonts = [];
    this.fontIndex = new Map();
    this.samples = [];
    this.ranges = new Map();
  }

  add(node, element, at) {
    const range = this.range(node.ownerDocument);
    range.selectNodeContents(node);
    const boxes = linesOf(range.getClientRects());
    if (!boxes.length) return;
    const text = collapse(node.data);
    const parts = boxes.length === 1 ? [text] : brokenAt(range, node, boxes);
    const lines = boxes.map((box, i) => ({ box: boxOf(box, at.frame), text: parts[i] }));
    this.runs.push({ element, text, lines, font: this.font(node, at.style) });
  }

  range(owner) {
    if (!this.ranges.has(owner)) this.ranges.set(owner, createRange(owner));
    return this.ranges.get(owner);
  }

  font(node, style) {
    const script = SCRIPTS.filter(([, pattern]) => pattern.test(node.data)).map(([name]) => name).join('+') || 'common';
    const font = { family: style.fontFamily, weight: style.fontWeight, style: style.fontStyle, script };
    const key = Object.values(font).join('|');
    let index = this.fontIndex.get(key);
    if (index === undefined) {
      index = this.fonts.push(font) - 1;
      this.fontIndex.set(key, index);
      this.samples.push(node);
    }
    return index;
  }
}

/** One box per line, from the boxes of the pieces that make up a text. */
function linesOf(rects) {
  const lines = [];
  for (const { left, top, right, bottom } of rects) {
    if (right <= left || bottom <= top) continue;
    const last = lines.at(-1);
    const overlap = last ? Math.min(last.bottom, bottom) - Math.max(last.top, top) : 0;
    if (overlap > (bottom - top) / 2 && (left >= last.left - 1 || lines.length >= MOST_LINES)) {
      last.left = Math.min(last.left, left);
      last.right = Math.max(last.right, right);
      last.top = Math.min(last.top, top);
      last.bottom = Math.max(last.bottom, bottom);
    } else if (lines.length < MOST_LINES) {
      lines.push({ left, top, right, bottom });
    }
  }
  return lines.map((line) => ({ ...line, width: line.right - line.left, height: line.bottom - line.top }));
}

/** The text on each line; where a line ends is searched by halves. */
function brokenAt(range, node, lines) {
  const text = node.data;
  const parts = [];
  let from = 0;
  for (let line = 0; line < lines.length - 1; line++) {
    let low = from;
    let high = text.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (lineAt(range, node, middle, lines) > line) high = middle;
      else low = middle + 1;
    }
    parts.push(collapse(text.slice(from, low)));
    from = low;
  }
  return [...parts, collapse(text.slice(from))];
}

/** Which line the first character with a box at or after `offset` stands on. */
function lineAt(range, node, offset, lines) {
  const { data } = node;
  for (let i = offset; i < data.length; i++) {
    if (/\s/.test(data[i])) continue;
    // Half of a surrogate pair has no box of its own.
    const pair = data.codePointAt(i) > 0xffff ? 2 : 1;
    range.setStart(node, i);
    range.setEnd(node, Math.min(data.length, i + pair));
    const rect = [...range.getClientRects()].find(hasArea);
    if (!rect) continue;
    const x = (rect.left + rect.right) / 2;
    const y = (rect.top + rect.bottom) / 2;
    const found = lines.findIndex((line) => x >= line.left - 1 && x <= line.right + 1 && y >= line.top && y <= line.bottom);
    if (found >= 0) return found;
  }
  return lines.length;
}
