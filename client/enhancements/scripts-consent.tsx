import type { PageLabels } from '../../shared/labels/labels.ts';
import { LabelsContext } from '../../shared/labels/labels-context.ts';
import type { PageData } from '../../shared/payload/page-data.ts';
import { ScriptsConsent } from '../../shared/ui/scripts-consent.tsx';
import { element } from '../element.ts';
import { createRoot } from '../react-root.ts';
import { fullLoad } from '../reloads/full-load.ts';

type Consent = NonNullable<PageData['config']['consent']>;
type Choice = 'allowed' | 'declined';

/** The key in local storage of the choice and its hosts. Scripts of other hosts need a new choice. */
const STORAGE_KEY = 'site:scripts';

/** Loads scripts in order after consent. The question is never in the server's HTML. */
export function askForScripts({ scripts, purposes }: Consent, labels: PageLabels): void {
  const hosts = [...new Set(scripts.map(address => new URL(address).host))].sort();
  const root = createRoot(document.body.appendChild(element('div')));
  let choice = remembered(hosts);
  let loaded = false;
  if (choice === 'allowed') load();
  show(choice === null, false);

  function load(): void {
    loaded = true;
    for (const src of scripts) document.head.append(element('script', { src, async: false }));
  }

  function choose(chosen: Choice): void {
    choice = chosen;
    remember(hosts, chosen);
    if (chosen === 'allowed' && !loaded) load();
    // Reload, because a script that has run cannot be undone.
    if (chosen === 'declined' && loaded) fullLoad(location.href);
    else show(false, true);
  }

  function show(asking: boolean, movesFocus: boolean): void {
    root.render(
      <LabelsContext value={labels}>
        <ScriptsConsent
          key={String(asking)}
          hosts={hosts}
          purposes={purposes}
          asking={asking}
          movesFocus={movesFocus}
          allowed={choice === 'allowed'}
          onChoose={allow => choose(allow ? 'allowed' : 'declined')}
          onAskAgain={() => show(true, true)}
        />
      </LabelsContext>,
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
    // Without storage, the choice applies to this page only.
  }
}
