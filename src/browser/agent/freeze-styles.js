// Computed styles for a capture: every value once, every distinct style once.
//
// It deliberately translates only colours that are not written as rgb(); the browser knows how, Rust does not.

const EXOTIC_COLOUR = /\b(?:oklch|oklab|lch|lab|color|hsl|hwb)\([^()]*\)/g;

class Styles {
  constructor(properties) {
    this.properties = properties;
    this.values = [];
    this.valueIndex = new Map();
    this.rows = [];
    this.rowIndex = new Map();
    this.exotic = new Set();
  }

  /** The row of a computed style. */
  row(style) {
    const { properties, valueIndex } = this;
    const row = new Array(properties.length);
    // The innermost loop of a capture, and most often run while its code is still cold.
    for (let i = 0; i < row.length; i++) {
      const raw = style.getPropertyValue(properties[i]);
      row[i] = valueIndex.get(raw) ?? this.add(raw);
    }
    const key = row.join();
    let index = this.rowIndex.get(key);
    if (index === undefined) {
      index = this.rows.push(row) - 1;
      this.rowIndex.set(key, index);
    }
    return index;
  }

  add(raw) {
    const value = raw.length > 20 ? addressed(raw) : raw;
    for (const colour of value.match(EXOTIC_COLOUR) ?? []) this.exotic.add(colour);
    const index = this.values.push(value) - 1;
    this.valueIndex.set(raw, index);
    return index;
  }

  table() {
    return { properties: this.properties, values: this.values, rows: this.rows };
  }

  /** Colours in other notations, as `rgba()`. */
  colours() {
    if (!this.exotic.size) return {};
    const context = new OffscreenCanvas(1, 1).getContext('2d', { willReadFrequently: true });
    const entries = [...this.exotic].sort().map((colour) => {
      // Drawn opaque: a canvas keeps faint colours only coarsely.
      const alpha = colour.match(/\/\s*([\d.]+)(%?)\s*\)$/);
      context.fillStyle = '#000';
      context.fillStyle = alpha ? colour.replace(/\s*\/[^)]*\)$/, ')') : colour;
      context.fillRect(0, 0, 1, 1);
      const [r, g, b] = context.getImageData(0, 0, 1, 1).data;
      const opacity = alpha ? Number(alpha[1]) / (alpha[2] ? 100 : 1) : 1;
      return [colour, `rgba(${r}, ${g}, ${b}, ${opacity})`];
    });
    return Object.fromEntries(entries);
  }
}
