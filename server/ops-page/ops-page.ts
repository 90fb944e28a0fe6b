import express, { type RequestHandler, type Response } from 'express';
import { Access } from './access.ts';
import { Actions, signInForm } from './actions.ts';
import { front, secrets, warnings } from './around.ts';
import { cms, messages, replicas, storage } from './behind.ts';
import { htmlDocument, POLICY } from './document.ts';
import { Figures } from './figures.ts';
import { ago, type Html, html } from './html.ts';
import { limits, PLOTS, plots, realVisitors, visitors } from './now.ts';
import { readRunbook, runbookPage } from './runbook.ts';
import { verdict } from './verdict.ts';
import type { OpsPageParts, Section, View } from './view.ts';

const MAX_FORM_BYTES = 2_000;

export type OpsPage = Awaited<ReturnType<typeof createOpsPage>>;

export async function createOpsPage(parts: OpsPageParts) {
  const { config, log, metrics } = parts;
  const runbook = await readRunbook();
  const figures = new Figures(() => metrics.registry.metrics(), PLOTS);
  const access = new Access(config, log, metrics);
  const actions = new Actions(parts);
  /** The sections in the order of the page. To add a section, add its name here. */
  const sections: readonly Section[] = [
    ...[verdict, visitors, cms, messages, storage, replicas, front, limits, secrets, warnings],
    ...[actions.section, realVisitors, plots],
  ];
  const router = express.Router();
  const showPage: RequestHandler = async (req, res) => {
    await figures.read();
    const isSignedIn = access.viewerOf(req) === 'operator';
    const view = { parts, figures, runbook, isSignedIn };
    const shown = await Promise.all(sections.map(section => shownSection(section, view)));
    const title = `Operations${config.replicaId === null ? '' : ` of ${config.replicaId}`}`;
    const facts = html`<p class="muted">Build ${parts.manifest.id}, started ${ago(performance.timeOrigin)}. <a href="/runbook">Runbook</a></p>`;
    send(res, title, html`<header><h1>${title}</h1>${facts}</header><main>${shown}</main>`, true);
  };
  const refuseStrangers: RequestHandler = (req, res, next) => {
    if (access.viewerOf(req) !== 'stranger') next();
    else if (config.opsToken === null) res.status(403).json({ error: 'Set OPS_TOKEN, and sign in with it' });
    else send(res.status(401), 'Sign in', signInForm('OPS_TOKEN'));
  };
  router.get('/', refuseStrangers, showPage);
  router.get('/runbook', refuseStrangers, async (_req, res) =>
    send(res, 'Runbook', await runbookPage(runbook, parts.compilePool.compile)),
  );
  if (config.opsToken !== null) {
    const form = express.urlencoded({ extended: false, limit: MAX_FORM_BYTES });
    router.post(['/sign-in', '/sign-out', '/act'], access.ownPostsOnly, form);
    router.post('/sign-in', (req, res) => {
      if (access.signIn(res, String(req.body?.token))) res.redirect(303, '/');
      else send(res.status(401), 'Sign in', signInForm('This is not the token. OPS_TOKEN'));
    });
    router.post('/sign-out', (_req, res) => {
      access.signOut(res);
      res.redirect(303, '/');
    });
    router.post('/act', access.operatorsOnly, actions.handle(send));
  }
  return { router, begin: () => figures.begin(), stop: () => figures.stop() };
}

async function shownSection(section: Section, view: View): Promise<Html> {
  const { id, title, isWide, isStatic } = section;
  let shown: Html | null;
  try {
    shown = await section.show(view);
  } catch (error) {
    shown = html`<p class="bad">This cannot be read: ${error instanceof Error ? error.message : String(error)}</p>`;
  }
  if (shown === null) return html``;
  return html`<section id="${id}" class="${isWide && 'wide'}"${!isStatic && html` data-live`}><h2>${title}</h2>${shown}</section>`;
}

function send(res: Response, title: string, body: Html, isLive = false): void {
  res
    .set('Content-Security-Policy', POLICY)
    .type('html')
    .send(htmlDocument(title, body, isLive));
}
