import type { createBrowserRouter } from 'react-router-dom';
import { type SearchSuggestions, SUGGESTIONS_PATH } from '../shared/payload/search-data.ts';
import { startAnnouncements } from './page-feedback.ts';

type Router = Pick<ReturnType<typeof createBrowserRouter>, 'navigate'>;

/** The pause after a letter before the site is asked, in ms. */
const PAUSE_MS = 150;
const LIST_ID = 'search-suggestions';
/** The field that has the list now. */
interface Open {
  input: HTMLInputElement;
  list: HTMLElement;
  options: readonly { element: HTMLElement; href: string }[];
  /** The place of the chosen option; -1 for none. */
  chosen: number;
}

/**
 * Makes each field with `data-suggest` a combobox with a list of suggestions (ARIA Authoring Practices, "Editable Combobox With List Autocomplete"),
 * and shows the answers of its form without a full load. React knows nothing of the list: it stands in an empty element after the field.
 *
 * @param first the field that has the focus now.
 */
export function startSuggestions(router: Router, first: HTMLInputElement): void {
  const announce = startAnnouncements();
  let open: Open | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let asking = new AbortController();
  prepare(first);
  // Words that were typed before this code was there.
  if (first.value !== first.defaultValue) askSoon(first);

  document.addEventListener('focusin', ({ target }) => {
    if (isField(target)) prepare(target);
    else close();
  });
  document.addEventListener('input', ({ target }) => {
    if (isField(target)) askSoon(target);
  });
  // Before other listeners: Escape closes the list, and not the menu around it.
  document.addEventListener('keydown', onKeyDown, true);
  document.addEventListener('submit', event => {
    const form = event.target;
    if (!(form instanceof HTMLFormElement) || !form.querySelector('[data-suggest]')) return;
    event.preventDefault();
    clearTimeout(timer);
    asking.abort();
    close();
    const values = [...new FormData(form)].filter(([, value]) => value !== '');
    const query = new URLSearchParams(values as [string, string][]);
    void router.navigate(`${new URL(form.action).pathname}?${query}`);
  });

  function askSoon(input: HTMLInputElement): void {
    clearTimeout(timer);
    asking.abort();
    if (input.value.trim() === '') close();
    else timer = setTimeout(() => void ask(input), PAUSE_MS);
  }

  async function ask(input: HTMLInputElement): Promise<void> {
    asking = new AbortController();
    const { signal } = asking;
    try {
      const response = await fetch(`${SUGGESTIONS_PATH}?${new URLSearchParams({ q: input.value })}`, {
        signal,
      });
      const answer: SearchSuggestions = await response.json();
      // A superseded answer is not shown, and neither is one for a field that was left.
      if (signal.aborted || !response.ok || document.activeElement !== input) return;
      show(input, answer);
    } catch {
      // Without suggestions the form works all the same.
    }
  }

  function show(input: HTMLInputElement, { results, status }: SearchSuggestions): void {
    close();
    announce(status);
    const place = input.nextElementSibling;
    if (results.length === 0 || !place) return;
    const list = element('div', 'el-suggestions', { role: 'listbox', id: LIST_ID });
    list.setAttribute('aria-label', input.ariaLabel ?? '');
    const options = results.map(({ href, title, label }, at) => {
      const option = element('div', 'el-suggestions__option', { role: 'option', id: `${LIST_ID}-${at}` });
      option.setAttribute('aria-selected', 'false');
      const text = element('span', '', { dir: 'auto' });
      title.forEach((part, place) => {
        if (place % 2 === 0) text.append(part);
        else text.append(Object.assign(document.createElement('mark'), { textContent: part }));
      });
      const kind = element('span', 'el-suggestions__kind', {});
      kind.textContent = label;
      option.append(text, ' ', kind);
      // The field keeps the focus.
      option.addEventListener('pointerdown', event => event.preventDefault());
      option.addEventListener('click', () => go(href));
      return { element: option, href };
    });
    list.append(...options.map(option => option.element));
    place.replaceChildren(list);
    input.setAttribute('aria-expanded', 'true');
    input.setAttribute('aria-controls', LIST_ID);
    open = { input, list, options, chosen: -1 };
  }

  function close(): void {
    if (!open) return;
    open.list.remove();
    open.input.setAttribute('aria-expanded', 'false');
    open.input.removeAttribute('aria-controls');
    open.input.removeAttribute('aria-activedescendant');
    open = null;
  }

  function go(href: string): void {
    close();
    void router.navigate(href);
  }

  function choose({ input, options }: Open, chosen: number): void {
    options.forEach((option, at) => {
      option.element.setAttribute('aria-selected', String(at === chosen));
    });
    const option = options[chosen]?.element;
    if (option) input.setAttribute('aria-activedescendant', option.id);
    else input.removeAttribute('aria-activedescendant');
    option?.scrollIntoView({ block: 'nearest' });
    if (open) open.chosen = chosen;
  }

  function onKeyDown(event: KeyboardEvent): void {
    if (!open || event.target !== open.input || event.isComposing) return;
    const { options, chosen } = open;
    // Beyond the ends of the list no option is chosen, and the next key begins at the other end.
    const places = options.length + 1;
    if (event.key === 'ArrowDown') choose(open, ((chosen + 2) % places) - 1);
    else if (event.key === 'ArrowUp') choose(open, ((chosen + places) % places) - 1);
    else if (event.key === 'Escape') close();
    else if (event.key === 'Enter' && options[chosen]) go(options[chosen].href);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }
}

function isField(target: EventTarget | null): target is HTMLInputElement {
  return target instanceof HTMLInputElement && target.matches('[data-suggest]');
}

function prepare(input: HTMLInputElement): void {
  input.setAttribute('role', 'combobox');
  input.setAttribute('aria-autocomplete', 'list');
  input.setAttribute('aria-expanded', 'false');
}

function element(name: string, className: string, attributes: Readonly<Record<string, string>>): HTMLElement {
  const made = document.createElement(name);
  made.className = className;
  for (const [attribute, value] of Object.entries(attributes)) made.setAttribute(attribute, value);
  return made;
}
