import { matchRoute } from '../../shared/routing/match-route.ts';
import { routeTable } from '../../shared/routing/routes.ts';

/** The part of `ViewTransition` that React Router uses. */
type Transition = Pick<ViewTransition, 'finished' | 'ready' | 'updateCallbackDone' | 'skipTransition'>;

export interface PageChange {
  from: string;
  to: string;
  pressed: HTMLAnchorElement | null;
}

/** The names of view transitions for what a card shares with its page, then the selectors in both. */
const NAMES = ['el-cover', 'el-headline'];
const OF_CARD = ['img', 'h2, h3'];
const OF_PAGE = ['main img[fetchpriority]', 'main h1'];

/**
 * Animates navigations by the target route's flags. Every link asks for a view transition. The cover and the
 * headline of a pressed card turn into those of its page.
 */
export function governViewTransitions(change: () => PageChange): void {
  const start = document.startViewTransition?.bind(document);
  if (!start) return;
  const motion = matchMedia('(prefers-reduced-motion: reduce)');
  const governed = (update: () => void | Promise<void>): Transition => {
    const { from, to, pressed } = change();
    const animated = isAnimated(from, to);
    const card = pressed?.pathname === to && isAnimated(from, to, true) ? cardOf(pressed) : null;
    if (motion.matches || !(animated || card)) return atOnce(update);
    if (!card) return start(update);
    const page = document.documentElement;
    // Where the page itself changes at once, only cover and headline move.
    if (!animated) page.style.viewTransitionName = 'none';
    let named = nameIn(card, OF_CARD);
    const transition = start(async () => {
      await update();
      unname(named);
      named = nameIn(document, OF_PAGE);
    });
    const end = () => unname([page, ...named]);
    transition.finished.then(end, end);
    return transition;
  };
  document.startViewTransition = governed as typeof document.startViewTransition;
}

function atOnce(update: () => void | Promise<void>): Transition {
  const done = Promise.resolve(update());
  return { finished: done, ready: done, updateCallbackDone: done, skipTransition: () => {} };
}

/** @param byCard whether a card of the old page was pressed. Cards are animated across layouts, too. */
function isAnimated(from: string, to: string, byCard = false): boolean {
  const source = matchRoute(routeTable, from)?.route;
  const target = matchRoute(routeTable, to)?.route;
  if (!target || from === to) return false;
  if (byCard) return target.pageTransition && source?.cardTransition !== false;
  return source?.layout === target.layout ? target.pageTransition : target.layoutTransition;
}

/** @returns the card that the link covers completely; null without one. */
function cardOf(link: HTMLElement): Element | null {
  return link.isConnected && link.classList.contains('el-covering') ? link.closest('article, li') : null;
}

function nameIn(parent: ParentNode, selectors: readonly string[]): HTMLElement[] {
  return selectors.flatMap((selector, index) => {
    const element = parent.querySelector<HTMLElement>(selector);
    if (!element) return [];
    element.style.viewTransitionName = NAMES[index] ?? '';
    return element;
  });
}

function unname(elements: readonly HTMLElement[]): void {
  for (const { style } of elements) style.viewTransitionName = '';
}
