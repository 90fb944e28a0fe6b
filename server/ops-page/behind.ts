import { timeOfPosition } from '../cache/tags/log-position.ts';
import type { Finding } from '../doctor/finding.ts';
import { MEDIA_BOUNDS } from '../media/create-media.ts';
import { type FoundMessage, findMessages, isDead } from '../outbox/found-messages.ts';
import { actionButton } from './actions.ts';
import { ago, bad, bytes, counts, duration, facts, type Html, html, number, strong, table } from './html.ts';
import type { OpsPageParts, Section, View } from './view.ts';

const S = 1_000;

export const cms: Section = {
  id: 'cms',
  title: 'CMS',
  show(view) {
    const { parts, figures, isSignedIn } = view;
    const { lastEventAt, lastEventHost, lastMissed } = parts.webhookOutcomes.last;
    const timeOf = (name: string) => ago(figures.sum(`site_${name}_timestamp_seconds`) * S);
    const { report } = parts.doctor;
    return html`${facts({
      State: parts.backendState(),
      'Last good call': timeOf('backend_last_success'),
      'Last failed call': timeOf('backend_last_failure'),
      'Calls lately': counts(figures.grownBy('site_backend_calls_total', 'outcome')),
      'Last event': ago(lastEventAt),
      'Sent to': isSignedIn ? (lastEventHost ?? '–') : undefined,
      'Last change without an event': ago(lastMissed?.at),
      'Last sweep': timeOf('last_sweep'),
      'Examined by the doctor':
        report || parts.purges.mayRun ? ago(report?.examinedAt) : 'by another replica',
    })}${isSignedIn && actionButton('examine')}${typeStates(view)}${findings(view)}`;
  },
};

function typeStates({ parts: { contentStates } }: View): Html {
  const good = [...contentStates.states()].flatMap(([type, state]) => (state === 'ok' ? type : []));
  const rows = Object.entries(contentStates.reports()).map(([type, { state, since, reason }]) => {
    return [type, strong(state), ago(since), reason];
  });
  const others = rows.length > 0 && table('Other types', ['type', 'state', 'since', 'reason'], rows);
  return html`<p>Types that are ok: ${good.join(', ') || 'none yet'}.</p>${others}`;
}

function findings({ parts: { doctor }, isSignedIn }: View): Html | false {
  const found = doctor.report?.findings ?? [];
  const gradeOf = ({ mayStay, severity }: Finding) => (mayStay ? 'may stay' : severity);
  const grades = Array.from(Map.groupBy(found, gradeOf), ([grade, { length }]) => [grade, length] as const);
  const list = found.map(one => {
    const { code, about, pages, what, remedy } = one;
    const details = isSignedIn && html`<p>${what}.</p><p>${remedy}</p>`;
    return html`<h3>${gradeOf(one)}: ${code}, ${about}</h3><p class="muted">${pages}</p>${details}`;
  });
  return found.length > 0 && html`<details><summary>Findings: ${counts(grades)}</summary>${list}</details>`;
}

const MAX_MESSAGES = 20;

export const messages: Section = {
  id: 'messages',
  title: 'Messages of the forms',
  async show({ parts, figures, isSignedIn }) {
    const { waiting, oldestMs, dead } = parts.outbox.state;
    const { queue } = parts.outbox;
    const found = isSignedIn ? await findMessages(parts.messages) : [];
    // Show neither the e-mail addresses nor the text of a message, which are personal data.
    const shown = found.sort((a, b) => Number(isDead(b)) - Number(isDead(a))).slice(0, MAX_MESSAGES);
    const rows = await Promise.all(
      shown.map(async one => [
        ...[one.id.slice(0, 8), isDead(one) ? strong('dead') : 'waiting', ago(one.file?.since)],
        await failureOf(parts, one),
        html`${actionButton('retry', one.id)}${actionButton('erase', one.id)}`,
      ]),
    );
    return html`${facts({
      Waiting: number(waiting),
      Oldest: waiting > 0 ? duration(oldestMs) : undefined,
      Dead: bad(dead),
      'Last delivered': ago(figures.sum('site_last_delivery_timestamp_seconds') * S),
      Queue: queue ? `${queue.isUp ? 'up' : 'down'}: ${counts(Object.entries(queue.jobs))}` : undefined,
    })}${rows.length > 0 && table('Messages', ['id', 'state', 'since', 'the CMS says', ''], rows)}`;
  },
};

async function failureOf({ outbox, messages }: OpsPageParts, { id, file }: FoundMessage): Promise<string> {
  const failure = outbox.failureOf(id);
  if (failure !== null || file === null) return failure ?? 'nothing here';
  const stored = await messages.files.read(file.folder, id).catch(() => null);
  return stored?.failure ?? 'nothing since the start';
}

export const storage: Section = {
  id: 'storage',
  title: 'Storage',
  show({ parts: { config }, figures }) {
    const { diskCacheBytes, historyBytes } = config;
    const ofTiers = { content: diskCacheBytes, pages: diskCacheBytes, history: historyBytes };
    const bounds: Readonly<Record<string, number>> = { ...MEDIA_BOUNDS, ...ofTiers };
    const rows = figures
      .values('site_disk_folder_bytes', 'folder')
      .map(([folder, size]) => [
        folder,
        bytes(size),
        bounds[folder] ? bytes(bounds[folder]) : 'by its contents',
      ]);
    return html`${facts({ Free: bytes(figures.sum('site_disk_free_bytes')) })}${
      rows.length > 0 && table('Folders', ['folder', 'size', 'bound'], rows)
    }<p class="muted">Counted every ten minutes. The bound of pages is for each of at most four builds.</p>`;
  },
};

export const replicas: Section = {
  id: 'replicas',
  title: 'Replicas',
  isWide: true,
  async show({ parts, isSignedIn }) {
    if (!parts.replicas) return html`<p>SHARED_URL is not set, so this process knows of no other.</p>`;
    const list = await parts.replicas.list();
    const newest = Math.max(...list.map(({ logPosition }) => timeOfPosition(logPosition)));
    const rows = list.map(one => [
      `${one.replica ?? 'without a name'}${one.leads ? ', leads' : ''}`,
      one.isMissing ? strong('missing') : String(one.state),
      one.build === parts.manifest.id ? String(one.build) : strong(String(one.build)),
      ago(String(one.startedAt)),
      ago(String(one.toldAt)),
      duration(newest - timeOfPosition(one.logPosition)),
      bytes(Number(one.rssBytes)),
      isSignedIn && `${one.ops} on ${one.host}, process ${one.pid}`,
    ]);
    const head = ['replica', 'state', 'build', 'started', 'last sign', 'lag', 'memory', ''];
    return table('Replicas', head, rows);
  },
};
