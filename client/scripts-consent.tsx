import { ScriptsConsent } from '../shared/blocks/scripts-consent.tsx';
import { fullLoad } from './full-load.ts';
import { createRoot } from './react-root.ts';

type Choice = 'allowed' | 'declined';

/** What the visitor has chosen, and for which hosts: for another one the question is a new one. */
const STORAGE_KEY = 'site:scripts';

/**
 * Scripts of other origins are loaded when the visitor has allowed it, now or on an earlier page. The question stands
 * behind the page, outside of React's root: nothing of it is in the HTML, which is everybody's.
 *
 * @param scripts absolute addresses, in the order in which they are to run.
 */
export function askForScripts(scripts: readonly string[]): void {
  const hosts = [...new Set(scripts.map(address => new URL(address).host))].sort();
  const root = createRoot(document.body.appendChild(document.createElement('div')));
  let choice = remembered(hosts);
  let loaded = false;
  if (choice === 'allowed') load();
  show(choice === null, false);

  function load(): void {
    loaded = true;
    for (const src of scripts) {
      // In order, as `defer` would have it.
      document.head.append(Object.assign(document.createElement('script'), { src, async: false }));
    }
  }

  function choose(chosen: Choice): void {
    choice = chosen;
    remember(hosts, chosen);
    if (chosen === 'allowed' && !loaded) load();
    // What has run cannot be taken back but by a page without it.
    if (chosen === 'declined' && loaded) fullLoad(location.href);
    else show(false, true);
  }

  function show(asking: boolean, takesFocus: boolean): void {
    root.render(
      <ScriptsConsent
        key={String(asking)}
        hosts={hosts}
        asking={asking}
        takesFocus={takesFocus}
        allowed={choice === 'allowed'}
        onChoose={allow => choose(allow ? 'allowed' : 'declined')}
        onAskAgain={() => show(true, true)}
      />,
    );
  }
}

function remembered(hosts: readonly string[]): Choice | null {
  try {
    const [choice, ...asked] = localStorage.getItem(STORAGE_KEY)?.split(' ') ?? [];
    if (asked.join(' ') !== hosts.join(' ')) return null;
    return choice === 'allowed' || choice === 'declined' ? choice : null;
  } catch {
    return null;
  }
}

function remember(hosts: readonly string[], choice: Choice): void {
  try {
    localStorage.setItem(STORAGE_KEY, [choice, ...hosts].join(' '));
  } catch {
    // Storage is refused: the choice is this page's.
  }
}
