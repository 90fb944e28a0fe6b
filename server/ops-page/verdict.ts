import type { DegradedReason } from '../ops/metrics/metric-table.ts';
import { storeProblem } from '../shared-store/store-problem.ts';
import { ago, facts, type Html, html } from './html.ts';
import { anchorOf, lineOf } from './runbook.ts';
import type { OpsPageParts, Section, View } from './view.ts';

/** What is wrong, and the section of the runbook that says what visitors notice and what to do. */
export const REASONS = {
  loading: ['The content of the start is missing', 'The process does not become ready'],
  draining: ['The process is ending', 'The process is ending'],
  disk: ['The data folder cannot be written', 'The data folder cannot be written'],
  cms: ['The CMS gives no usable answer', 'The CMS is down'],
  refused: ['The CMS refuses a content type', 'A content type is not ok'],
  emptied: ['A content type has lost its entries', 'The CMS answers, but its content is gone or wrong'],
  media: ['A server of pictures and files is down', 'Pictures are missing'],
  store: ['The shared store does not work', 'The shared store does not work'],
  log: ['Replicas do not share changes', 'The shared log of invalidations does not work'],
  queue: ['The queue of messages cannot be used', 'The queue cannot be used'],
  cdn: ['A CDN cannot be purged', 'A CDN cannot be purged'],
  messages: ['Messages could not be delivered', 'The outbox grows'],
} as const;

interface Reason {
  readonly word: keyof typeof REASONS;
  readonly type?: string;
  /** In ISO 8601; absent if the process does not know it. */
  readonly since?: string;
  /** The remedy that fits the case; absent if the process knows none. */
  readonly remedy?: string | undefined;
}

export const verdict: Section = {
  id: 'verdict',
  title: 'Verdict',
  isWide: true,
  show(view) {
    const { readiness } = view.parts;
    const reasons = reasonsOf(view.parts);
    const [word, colour] = !readiness.isReady
      ? ['does not work.', 'bad']
      : reasons.length > 0
        ? ['works, but …', 'warn']
        : ['works.', 'good'];
    return html`<p class="verdict ${colour}">The site ${word}</p>${reasons.map(reason => explained(view, reason))}`;
  },
};

function explained({ runbook }: View, { word, type, since, remedy }: Reason): Html {
  const [what, section] = REASONS[word];
  const rows = facts({
    Since: since && ago(since),
    'Visitors notice': lineOf(runbook, section, 'Visitors notice'),
    Remedy: remedy ?? lineOf(runbook, section, 'In short'),
    Runbook: html`<a href="/runbook#${anchorOf(section)}">${section}</a>`,
  });
  return html`<div class="reason"><h3>${what}${type && `: ${type}`}</h3>${rows}</div>`;
}

/** The reasons of `/readyz`, those of a type one by one, and what else has to be done. */
function reasonsOf(parts: OpsPageParts): readonly Reason[] {
  const { readiness, backendBreaker, contentStates, outbox } = parts;
  const { state } = readiness;
  const reasons: Reason[] = state === 'loading' || state === 'draining' ? [{ word: state }] : [];
  const types = Object.entries(contentStates.reports());
  for (const { reason: word, since } of readiness.degraded) {
    const ofWord = types.filter(([, report]) => (report.state === 'down' ? 'cms' : report.state) === word);
    // An outage of the CMS explains the types that are down.
    const isOfAll = ofWord.length === 0 || (word === 'cms' && !backendBreaker.isUp);
    if (isOfAll) reasons.push({ word, since, remedy: remedyOf(parts, word) });
    else for (const [type, report] of ofWord) reasons.push({ ...report, word, type });
  }
  for (const [, { remedy }] of parts.cdnPurger?.failures() ?? []) reasons.push({ word: 'cdn', remedy });
  if (outbox.state.dead > 0) reasons.push({ word: 'messages' });
  return reasons;
}

function remedyOf({ diskHealth, shared, outbox }: OpsPageParts, word: DegradedReason): string | undefined {
  if (word === 'disk' && !diskHealth.state.isWritable) return diskHealth.state.remedy;
  if (word === 'store' && shared?.state.isUp === false) return storeProblem(shared.state.reason).remedy;
  return word === 'queue' ? outbox.queue?.problem?.remedy : undefined;
}
