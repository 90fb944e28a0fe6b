/** Where state waits for the page to come back, and how much of it there may be. */
const STORAGE_KEY = 'site:reload:state';
const VERSION = 1;
const MAX_BYTES = 64 * 1024;

/** Form fields by form and name, open questions by their text, and the scroll position of the page they belong to. */
interface KeptState {
  version: typeof VERSION;
  /** The page's path and query. */
  page: string;
  scroll: [x: number, y: number];
  forms: Record<string, Record<string, string>>;
  open: string[];
}

/** A form registers by `data-persistent="name"`; a question by standing in an element with `data-persistent`. */
const FORMS = 'form[data-persistent]';
const QUESTIONS = 'details[data-persistent]';

/** Writes what a reload would lose to session storage. Where that is refused, or full, the page reloads without it. */
export function keepState(): void {
  const state: KeptState = {
    version: VERSION,
    page: location.pathname + location.search,
    scroll: [scrollX, scrollY],
    forms: Object.fromEntries(formsOnPage().map(([name, fields]) => [name, valuesOf(fields)])),
    open: questionsOnPage().flatMap(([name, details]) => (details.open ? name : [])),
  };
  try {
    const text = JSON.stringify(state);
    if (new Blob([text]).size <= MAX_BYTES) sessionStorage.setItem(STORAGE_KEY, text);
  } catch {
    // Storage is refused.
  }
}

/** Restores what was kept, once, after hydration. Forms are filled wherever they stand; the rest belongs to its page. */
export function restoreState(): void {
  try {
    const text = sessionStorage.getItem(STORAGE_KEY);
    sessionStorage.removeItem(STORAGE_KEY);
    const state: KeptState | null = text ? JSON.parse(text) : null;
    if (state?.version === VERSION) apply(state);
  } catch {
    // Storage is refused, or somebody else has written there: nothing that a page should fail for.
  }
}

function apply(state: KeptState): void {
  for (const [name, fields] of formsOnPage()) {
    for (const field of fields) {
      const value = state.forms[name]?.[field.name];
      if (value === undefined || field.value === value) continue;
      field.value = value;
      field.dispatchEvent(new Event('input', { bubbles: true }));
    }
  }
  if (state.page !== location.pathname + location.search) return;
  for (const [name, details] of questionsOnPage()) if (state.open.includes(name)) details.open = true;
  scrollTo(...state.scroll);
}

type Field = HTMLInputElement | HTMLTextAreaElement;

function formsOnPage(): [name: string, fields: Field[]][] {
  return Array.from(document.querySelectorAll<HTMLFormElement>(FORMS), form => [
    form.dataset.persistent ?? '',
    Array.from(form.elements).filter(
      (field): field is Field =>
        (field instanceof HTMLInputElement && field.type !== 'hidden') ||
        field instanceof HTMLTextAreaElement,
    ),
  ]);
}

function valuesOf(fields: Field[]): Record<string, string> {
  return Object.fromEntries(fields.filter(({ value }) => value).map(({ name, value }) => [name, value]));
}

function questionsOnPage(): [name: string, details: HTMLDetailsElement][] {
  return Array.from(document.querySelectorAll<HTMLDetailsElement>(QUESTIONS), details => [
    details.querySelector('summary')?.textContent ?? '',
    details,
  ]);
}
