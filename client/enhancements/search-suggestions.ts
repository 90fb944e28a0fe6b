import {
  type SearchResult,
  type SearchSuggestions,
  SUGGESTIONS_PATH,
} from '../../shared/payload/search-data.ts';
import type { Router } from '../../shared/routing/router.ts';
import { element } from '../element.ts';
import { startAnnouncements } from '../navigation/page-feedback.ts';

/** The pause in typing before a request, in ms. */
const PAUSE_MS = 150;
const LIST_ID = 'search-suggestions';
interface Open {
  input: HTMLInputElement;
  list: HTMLElement;
  options: readonly { element: HTMLElement; href: string }[];
  /** The index of the chosen option; -1 for none. */
  chosen: number;
}

/**
 * Makes each field with `data-suggest` a combobox (ARIA Authoring Practices), and submits its form without a
 * full load.
 */
export function startSuggestions(router: Pick<Router, 'navigate'>, first: HTMLInputElement): void {
  const list = new SuggestionList(href => void router.navigate(href));
  const requests = new SuggestionRequests(list);
  prepare(first);
  // Search now, because the visitor may have typed before this code loaded.
  if (first.value !== first.defaultValue) requests.sendSoon(first);
  document.addEventListener('focusin', ({ target }) => {
    if (isField(target)) prepare(target);
    else list.close();
  });
  document.addEventListener('input', ({ target }) => {
    if (isField(target)) requests.sendSoon(target);
  });
  // Capture the event, so that Escape closes the list and not the menu around it.
  document.addEventListener('keydown', event => list.onKeyDown(event), true);
  document.addEventListener('submit', event => {
    const form = event.target;
    if (!(form instanceof HTMLFormElement) || !form.querySelector('[data-suggest]')) return;
    event.preventDefault();
    requests.cancel();
    list.close();
    const values = [...new FormData(form)].filter(([, value]) => value !== '');
    const query = new URLSearchParams(values as [string, string][]);
    void router.navigate(`${new URL(form.action).pathname}?${query}`);
  });
}

class SuggestionRequests {
  readonly #list: SuggestionList;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #current = new AbortController();

  constructor(list: SuggestionList) {
    this.#list = list;
  }

  sendSoon(input: HTMLInputElement): void {
    this.cancel();
    if (input.value.trim() === '') this.#list.close();
    else this.#timer = setTimeout(() => void this.#send(input), PAUSE_MS);
  }

  cancel(): void {
    clearTimeout(this.#timer);
    this.#current.abort();
  }

  async #send(input: HTMLInputElement): Promise<void> {
    this.#current = new AbortController();
    const { signal } = this.#current;
    try {
      const address = `${SUGGESTIONS_PATH}?${new URLSearchParams({ q: input.value })}`;
      const response = await fetch(address, { signal });
      const answer: SearchSuggestions = await response.json();
      if (signal.aborted || !response.ok || document.activeElement !== input) return;
      this.#list.show(input, answer);
    } catch {
      // Ignore the error, because the form works without suggestions.
    }
  }
}

/** The list below a field, in an empty element that React ignores. */
class SuggestionList {
  readonly #announce = startAnnouncements();
  readonly #go: (href: string) => void;
  #open: Open | null = null;

  constructor(go: (href: string) => void) {
    this.#go = href => {
      this.close();
      go(href);
    };
  }

  show(input: HTMLInputElement, { results, status }: SearchSuggestions): void {
    this.close();
    this.#announce(status);
    const place = input.nextElementSibling;
    if (results.length === 0 || !place) return;
    const options = results.map((result, index) => {
      const option = optionOf(result, index);
      option.addEventListener('pointerdown', event => event.preventDefault());
      option.addEventListener('click', () => this.#go(result.href));
      return { element: option, href: result.href };
    });
    const list = element(
      'div',
      { className: 'el-suggestions', role: 'listbox', id: LIST_ID, ariaLabel: input.ariaLabel ?? '' },
      ...options.map(option => option.element),
    );
    place.replaceChildren(list);
    input.setAttribute('aria-expanded', 'true');
    input.setAttribute('aria-controls', LIST_ID);
    this.#open = { input, list, options, chosen: -1 };
  }

  close(): void {
    if (!this.#open) return;
    const { input, list } = this.#open;
    list.remove();
    input.setAttribute('aria-expanded', 'false');
    input.removeAttribute('aria-controls');
    input.removeAttribute('aria-activedescendant');
    this.#open = null;
  }

  onKeyDown(event: KeyboardEvent): void {
    const open = this.#open;
    if (!open || event.target !== open.input || event.isComposing) return;
    const { options, chosen } = open;
    // Allow one place without a choice, between the last and the first option.
    const places = options.length + 1;
    if (event.key === 'ArrowDown') choose(open, ((chosen + 2) % places) - 1);
    else if (event.key === 'ArrowUp') choose(open, ((chosen + places) % places) - 1);
    else if (event.key === 'Escape') this.close();
    else if (event.key === 'Enter' && options[chosen]) this.#go(options[chosen].href);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }
}

function choose(open: Open, chosen: number): void {
  const { input, options } = open;
  options.forEach((option, index) => {
    option.element.setAttribute('aria-selected', String(index === chosen));
  });
  const option = options[chosen]?.element;
  if (option) input.setAttribute('aria-activedescendant', option.id);
  else input.removeAttribute('aria-activedescendant');
  option?.scrollIntoView({ block: 'nearest' });
  open.chosen = chosen;
}

function optionOf({ title, label }: SearchResult, index: number): HTMLElement {
  const parts = title.map((part, place) => (place % 2 === 0 ? part : element('mark', {}, part)));
  return element(
    'div',
    {
      className: 'el-suggestions__option',
      role: 'option',
      id: `${LIST_ID}-${index}`,
      ariaSelected: 'false',
    },
    element('span', { dir: 'auto' }, ...parts),
    ' ',
    element('span', { className: 'el-suggestions__kind' }, label),
  );
}

function isField(target: EventTarget | null): target is HTMLInputElement {
  return target instanceof HTMLInputElement && target.matches('[data-suggest]');
}

function prepare(input: HTMLInputElement): void {
  input.setAttribute('role', 'combobox');
  input.setAttribute('aria-autocomplete', 'list');
  input.setAttribute('aria-expanded', 'false');
}
