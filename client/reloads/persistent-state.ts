import { type Draft, drafts, dropSentDrafts } from '../../shared/forms/drafts.ts';

const STORAGE_KEY = 'site:reload:state';
const VERSION = 1;
const MAX_BYTES = 64 * 1024;

/** The state that a document leaves to the next one in its tab. */
interface KeptState {
  version: typeof VERSION;
  forms: Record<string, Draft>;
  /** The opened questions (`details`) and the scroll position. Only for loads that the page began. */
  page?: { address: string; scroll: [x: number, y: number]; open: string[] } | null;
}

let isOwnLoad = false;
let kept: KeptState | null = null;

export function keepPage(): void {
  isOwnLoad = true;
}

/** Call this before hydration. Drafts are in session storage only while one document replaces another. */
export function startDrafts(): void {
  kept = takeState();
  window.addEventListener('pagehide', leaveState);
  // Read drafts again on a page from the back/forward cache, because later pages may have changed them.
  window.addEventListener('pageshow', ({ persisted }) => persisted && takeState());
}

export function restorePage(): void {
  const page = kept?.page;
  if (page?.address !== addressOfPage()) return;
  for (const question of questions()) question.open ||= page.open.includes(textOf(question));
  scrollTo(...page.scroll);
}

function takeState(): KeptState | null {
  try {
    const text = sessionStorage.getItem(STORAGE_KEY);
    sessionStorage.removeItem(STORAGE_KEY);
    const state: KeptState | null = text ? JSON.parse(text) : null;
    if (state?.version !== VERSION) return null;
    const forms = Object.entries(state.forms);
    drafts.clear();
    for (const [name, draft] of forms) drafts.set(name, draft);
    dropSentDrafts();
    return state;
  } catch {
    // The browser denies storage, or the stored text is invalid.
    return null;
  }
}

function leaveState(): void {
  try {
    dropSentDrafts();
    const state: KeptState = {
      version: VERSION,
      forms: Object.fromEntries(drafts),
      page: isOwnLoad
        ? {
            address: addressOfPage(),
            scroll: [scrollX, scrollY],
            open: [...questions()].filter(({ open }) => open).map(textOf),
          }
        : null,
    };
    const text = JSON.stringify(state);
    if (new Blob([text]).size <= MAX_BYTES) sessionStorage.setItem(STORAGE_KEY, text);
  } catch {
    // The browser denies storage, or storage is full.
  }
}

function addressOfPage(): string {
  return location.pathname + location.search;
}

function questions(): NodeListOf<HTMLDetailsElement> {
  return document.querySelectorAll('details[data-persistent]');
}

function textOf(question: HTMLDetailsElement): string {
  return question.querySelector('summary')?.textContent ?? '';
}
