/** The key in session storage, the format's version, and the greatest size of the stored text. */
const STORAGE_KEY = 'site:reload:state';
const VERSION = 1;
const MAX_BYTES = 64 * 1024;

/** Form fields by form and name, open questions by their text, and the scroll position. */
interface KeptState {
  version: typeof VERSION;
  /** The page's path and query. */
  page: string;
  scroll: [x: number, y: number];
  forms: Record<string, Record<string, string>>;
  open: string[];
}

/** Elements whose state is kept: forms with `data-persistent="name"`, and questions with `data-persistent`. */
const FORMS = 'form[data-persistent]';
const QUESTIONS = 'details[data-persistent]';

/** Writes to session storage what a reload would lose. If storage is denied or full, nothing is kept. */
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
    // The browser denies storage, or it is full.
  }
}

/** Restores the kept state once, after hydration. Forms are filled on any page; the rest only on the page that it came from. */
export function restoreState(): void {
  try {
    const text = sessionStorage.getItem(STORAGE_KEY);
    sessionStorage.removeItem(STORAGE_KEY);
    const state: KeptState | null = text ? JSON.parse(text) : null;
    if (state?.version === VERSION) apply(state);
  } catch {
    // The browser denies storage, or the stored text is not ours. The page works without it.
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
