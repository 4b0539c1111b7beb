// Faults of the page as a whole: its scripts, resources, width, focus and fingers.

/** Once, when the page has a body. */
function atOnce(act) {
  let done = false;
  onRender(() => {
    if (done || !all('item').length) return;
    done = true;
    act();
    took();
  });
}

function add(name, attributes, style = '') {
  const el = Object.assign(document.createElement(name), attributes);
  el.style.cssText = style;
  document.body.append(el);
  return el;
}

const OUT_OF_THE_WAY = 'position: absolute; top: 0; left: 0; width: 1px; height: 1px';

Object.assign(FAULTS, {
  'script-error': () => atOnce(() => setTimeout(() => { throw new Error('a fault that was put in'); })),
  'rejected-promise': () => atOnce(() => { Promise.reject(new Error('a fault that was put in')); }),
  'remote-font': () => atOnce(() => {
    const face = new FontFace('Remote', 'url(http://fonts.invalid/remote.woff2)');
    document.fonts.add(face);
    face.load().catch(() => {});
  }),
  'remote-image': () => atOnce(() => add('img', { src: 'http://pictures.invalid/remote.png', alt: '' }, OUT_OF_THE_WAY)),
  'remote-script': () => atOnce(() => add('script', { src: 'http://scripts.invalid/remote.js' })),
  'broken-image': () => atOnce(() => add('img', { src: 'no-such-picture.png', alt: '' }, OUT_OF_THE_WAY)),
  'sideways': () => atOnce(() => add('div', {}, 'position: absolute; top: 0; left: 0; width: calc(100vw + 120px); height: 1px')),
  'label-removed': () => onRender(() => {
    for (const el of all('search')) {
      for (const name of ['aria-label', 'aria-labelledby', 'placeholder', 'title']) {
        if (el.hasAttribute(name)) { el.removeAttribute(name); took(); }
      }
      for (const label of el.labels ?? []) rewrite(label, () => '');
    }
  }),
  'focus-ring-removed': () => restyle(`:focus, :focus-visible, :focus-within {
    outline: none !important; box-shadow: none !important; text-decoration: none !important; transition: none !important; }`),
  'hover-only': () => restyle(`${selector('save')}, ${selector('status')} { opacity: 0 !important; transition: none !important; }
    ${selector('item')}:hover :is(${selector('save')}, ${selector('status')}) { opacity: 1 !important; }`),
  'small-target': () => restyle(`${selector('close')} { box-sizing: border-box !important; display: inline-block !important;
    width: 16px !important; height: 16px !important; min-width: 0 !important; min-height: 0 !important; padding: 0 !important;
    flex: none !important; overflow: hidden !important; }`),
  'never-still': () => restyle(`@keyframes loupe-drift { to { translate: 3px 0; } }
    ${selector('item')} { animation: loupe-drift 1s infinite alternate !important; }`),
  'not-tabbable': () => onRender(() => {
    for (const el of all('open')) if (el.tabIndex !== -1) { el.tabIndex = -1; took(); }
  }),
});
