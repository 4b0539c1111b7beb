// Reading: what a page shows now. A word that reads one element waits until it is attached; the others answer at once.

const READ = {
  title: () => collapse(titleOf(document)),
  url: () => location.href,
  active: () => activeFacts(),
};

const READ_ONE = {
  text: (el) => visibleText(el),
  value: (el) => valueOf(el),
  attribute: (el, { name }) => attributeOf(el, name),
  box: (el) => {
    const { x, y, width, height } = rectOf(el);
    return { x, y, width, height };
  },
  style: (el, { property }) => styleOf(el).getPropertyValue(property),
  focused: (el) => deepActive() === el,
  checked: (el) => checkedOf(el),
  enabled: (el) => enabled(el).ok,
  role: (el) => roleOf(el),
  name: (el) => nameOf(el),
};

const READ_ALL = {
  count: (request, trail) => find(request.at.steps, trail).length,
  texts: (request, trail) => find(request.at.steps, trail).map(visibleText),
  items: (request, trail) => identities(request, trail),
  exists: (request, trail) => find(request.at.steps, trail).length > 0,
  rendered: (request, trail) => predicate(rendered, request, trail),
  visible: (request, trail) => predicate(seen, request, trail),
  operable: (request, trail) => predicate(operable, request, trail),
};

/** A truth value with its reason. More than one match is satisfied by any of them. */
function predicate(judge, request, trail) {
  let refusal = null;
  for (const el of find(request.at.steps, trail)) {
    const answer = judge(el);
    if (answer.ok) return answer;
    refusal ??= answer;
  }
  return refusal ?? no(nothing(request, trail).message);
}

async function read(request) {
  const { what } = request;
  const log = new Log();
  if (READ[what]) return { ok: true, value: READ[what](), log: [] };
  if (READ_ONE[what]) {
    return withOne(request, log, (el) => ({ done: true, ok: true, value: READ_ONE[what](el, request.args ?? {}) }));
  }
  const trail = newTrail(request);
  const grace = request.grace ?? 1000;
  const answer = await until(grace, (elapsed) => {
    trail.patient = elapsed < grace;
    trail.hook = null;
    try {
      const value = READ_ALL[what](request, trail);
      const waits = trail.hook?.state === 'missing' && trail.patient && hasFallback(request, trail);
      return { done: !waits, ok: true, ...(value?.why === undefined ? { value } : { value: value.ok, why: value.why }) };
    } catch (trouble) {
      if (!(trouble instanceof Trouble)) throw trouble;
      return { done: true, ok: false, ...trouble };
    }
  });
  return finish(answer, trail, log);
}

const hasFallback = (request, trail) => request.at.steps.some((step) => step.by === 'hook' && step.name === trail.hook.name && step.fallback.length
  && !trail.known.has(step.name) && !met.has(step.name));

/** What a control holds. */
function valueOf(el) {
  if (el instanceof HTMLSelectElement && el.multiple) return [...el.selectedOptions].map((option) => option.value);
  if (el instanceof HTMLInputElement || el instanceof HTMLTextAreaElement || el instanceof HTMLSelectElement) return el.value;
  if (el instanceof HTMLElement && el.isContentEditable) return visibleText(el);
  return attributeOf(el, 'aria-valuenow') ?? attributeOf(el, 'value') ?? '';
}

function activeFacts() {
  const el = deepActive();
  if (!el || el === bodyOf(document) || el === documentElementOf(document)) return null;
  return { tag: localNameOf(el), role: roleOf(el), name: nameOf(el), id: attributeOf(el, 'id'), hook: attributeOf(el, 'data-testid'), element: describe(el) };
}
