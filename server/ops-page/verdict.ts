import type { TypeReport } from '../content/store/content-states.ts';
import type { Readiness } from '../ops/readiness.ts';
import { storeProblem } from '../shared-store/server-fault.ts';
import { ago, facts, type Html, html } from './html.ts';
import { anchorOf, lineOf } from './runbook.ts';
import type { OpsPageParts, Section, View } from './view.ts';

/** What is wrong, and the section of the runbook that says what visitors notice and what to do. */
export const REASONS = {
  loading: ['The content of the start is missing', 'The process does not become ready'],
  draining: ['The process is ending', 'The process is ending'],
  disk: ['The data folder cannot be written', 'The data folder cannot be written'],
  damaged: ['Stored files are damaged', 'Stored files are damaged'],
  cms: ['The CMS gives no usable answer', 'The CMS is down'],
  refused: ['The CMS refuses a content type', 'A content type is not ok'],
  emptied: ['A content type has lost its entries', 'The CMS answers, but its content is gone or wrong'],
  media: ['A server of pictures and files is down', 'Pictures are missing'],
  store: ['The shared store does not work', 'The shared store does not work'],
  log: ['Replicas do not share changes', 'The shared log of invalidations does not work'],
  queue: ['The queue of messages cannot be used', 'The queue cannot be used'],
  outbox: ['No further message is accepted', 'The outbox is full'],
  cdn: ['A CDN cannot be purged', 'A CDN cannot be purged'],
  messages: ['Messages could not be delivered', 'The outbox grows'],
  missing: ['A replica is missing', 'A replica hangs'],
  builds: ['Replicas run different builds', 'Replicas run different builds'],
  forged: ['The shared store has values of somebody else', 'Somebody else writes to the shared store'],
  secret: ['The CMS does not send the current WEBHOOK_SECRET', 'A secret is changed'],
} as const;

interface Reason {
  readonly word: keyof typeof REASONS;
  readonly names?: readonly string[];
  /** In ISO 8601; absent if the process does not know it. */
  readonly since?: string | undefined;
  readonly last?: number;
  readonly remedy?: string | null | undefined;
}

export const verdict: Section = {
  id: 'verdict',
  title: 'Verdict',
  isWide: true,
  async show(view) {
    const reasons = [...reasonsOf(view), ...(await reasonsOfReplicas(view.parts)), ...misuses(view)];
    const [word, colour] = headline(view.parts.readiness, reasons.length);
    return html`<p class="verdict ${colour}">The site ${word}</p>${reasons.map(reason => explained(view, reason))}`;
  },
};

function headline({ state, isReady }: Readiness, reasons: number): readonly [word: string, colour: string] {
  if (state === 'draining') return ['is stopping, on purpose.', 'warn'];
  if (!isReady) return ['does not work.', 'bad'];
  return reasons > 0 ? ['works, but …', 'warn'] : ['works.', 'good'];
}

function explained({ parts, runbook, isSignedIn }: View, { word, names, since, last, remedy }: Reason): Html {
  const [what, section] = REASONS[word];
  // While every page is a 503, visitors do not notice other reasons.
  const isNoticed = parts.readiness.isReady || word === parts.readiness.state;
  const rows = facts({
    Since: since && ago(since),
    Last: last ? ago(last) : undefined,
    Error: word === 'disk' ? diskError(parts, isSignedIn) : undefined,
    'Visitors notice': isNoticed ? lineOf(runbook, section, 'Visitors notice') : undefined,
    Remedy: remedy ? sentence(remedy) : lineOf(runbook, section, 'In short'),
    Runbook: html`<a href="/runbook#${anchorOf(section)}">${section}</a>`,
  });
  return html`<div class="reason"><h3>${what}${names && `: ${names.join(', ')}`}</h3>${rows}</div>`;
}

/** The reasons of `/readyz`, with types grouped by `causeOf`, and failures of CDNs and messages. */
function reasonsOf({ parts, figures }: View): readonly Reason[] {
  const { readiness, backendBreaker, contentStates, outbox } = parts;
  const { state } = readiness;
  const reasons: Reason[] = [];
  if (state === 'loading' || state === 'draining')
    reasons.push({ word: state, remedy: remedyOf(parts, state) });
  const types = Object.entries(contentStates.reports());
  for (const { reason: word, since } of readiness.degraded) {
    const ofWord = types.filter(([, report]) => (report.state === 'down' ? 'cms' : report.state) === word);
    // During an outage of the CMS, do not also list each content type that is down.
    const isOfAll = ofWord.length === 0 || (word === 'cms' && !backendBreaker.isUp);
    if (isOfAll) reasons.push({ word, since, remedy: remedyOf(parts, word) });
    else
      for (const group of Map.groupBy(ofWord, ([, report]) => causeOf(report)).values()) {
        const [first] = group.map(([, report]) => report.since).sort();
        const [remedy, ...others] = new Set(group.map(([, report]) => report.remedy));
        const rest = others.length > 0 ? '; the same for the other types' : '';
        reasons.push({ word, names: group.map(([type]) => type), since: first, remedy: `${remedy}${rest}` });
      }
  }
  const failedAt = figures.grownAt('site_cdn_purges_total', /"failed"/);
  for (const [, { remedy }] of parts.cdnPurger?.failures() ?? [])
    reasons.push({ word: 'cdn', last: failedAt, remedy });
  const last = figures.grownAt('site_outbox_dead', /^/);
  if (outbox.state.dead > 0) reasons.push({ word: 'messages', last });
  return reasons;
}

async function reasonsOfReplicas({ replicas, manifest }: OpsPageParts): Promise<readonly Reason[]> {
  // Ignore an error here: a store that does not work is a reason of its own.
  const all = (await replicas?.list().catch(() => null)) ?? [];
  const [missing, present] = [all.filter(one => one.isMissing), all.filter(one => !one.isMissing)];
  const builds = new Set([manifest.id, ...present.map(({ build }) => String(build))]);
  const [lastStart] = present
    .map(({ startedAt }) => String(startedAt))
    .sort()
    .reverse();
  return [
    ...missing.map(
      ({ replica, toldAt }) =>
        ({ word: 'missing', names: [replica ?? 'without a name'], since: String(toldAt) }) as const,
    ),
    ...(builds.size > 1 ? [{ word: 'builds', names: [...builds], since: lastStart } as const] : []),
  ];
}

/** How long a forged value or a wrong secret is shown, in ms. Its alarm fires for the same time. */
const MISUSE_MS = 15 * 60_000;

function misuses({ parts: { webhookOutcomes }, figures }: View): readonly Reason[] {
  const reasons: Reason[] = [];
  const addRecent = (word: Reason['word'], name: string, labels: RegExp) => {
    const last = figures.grownAt(name, labels);
    if (Date.now() - last < MISUSE_MS) reasons.push({ word, last });
  };
  addRecent('forged', 'site_shared_calls_total', /forged/);
  const { hasFormerSecret, lastEventAt } = webhookOutcomes.last;
  if (hasFormerSecret) {
    const remedy =
      'The last event had WEBHOOK_SECRET_OLD: give the CMS the value of WEBHOOK_SECRET, and remove WEBHOOK_SECRET_OLD only then';
    reasons.push({ word: 'secret', since: lastEventAt ?? undefined, remedy });
  } else addRecent('secret', 'site_webhook_events_total', /wrong|guesses/);
  return reasons;
}

/** @returns a cause by which to group types: the status, or for a 404 the remedy, which names the type. */
function causeOf({ reason, remedy }: TypeReport): string {
  return /answered (?!404)\d+/.exec(reason)?.[0] ?? remedy;
}

function remedyOf(parts: OpsPageParts, word: Reason['word']): string | null | undefined {
  const { diskHealth, shared, outbox, log } = parts;
  if (word === 'loading')
    return log.recentWarnings.entries.findLast(({ code }) => code === 'content-start-failed')?.remedy;
  if (word === 'disk' && !diskHealth.state.isWritable) return diskHealth.state.remedy;
  if (word === 'store' && shared?.state.isUp === false) return storeProblem(shared.state.reason).remedy;
  return word === 'queue' ? outbox.queue?.problem?.remedy : undefined;
}

/** @returns only the error's code to those not signed in, because the message contains a folder. */
function diskError({ diskHealth: { state }, config }: OpsPageParts, isSignedIn: boolean): string | undefined {
  if (state.isWritable) return undefined;
  if (isSignedIn)
    return `${state.error.message}. DATA_DIR is ${config.dataDir}, the user is ${process.getuid?.()}.`;
  return 'code' in state.error ? `${state.error.code}` : state.error.message;
}

function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}${text.endsWith('.') ? '' : '.'}`;
}
