import os from 'node:os';
import type { RequestHandler, Response } from 'express';
import { eraseMessage, findMessages, retryMessage } from '../outbox/found-messages.ts';
import { ago, type Html, html } from './html.ts';
import type { OpsPageParts, Section } from './view.ts';

const LEVEL_LASTS_MS = 10 * 60_000;
const LEVELS = ['debug', 'info', 'warn', 'error'];
const MAX_TARGET_LENGTH = 200;

interface Action {
  readonly label: string;
  readonly effect: (target: string) => string;
  readonly run: (parts: OpsPageParts, target: string) => Promise<string> | string;
}

const ACTIONS: Readonly<Record<string, Action>> = {
  purge: {
    label: 'Purge',
    effect: tag => `Make everything with the tag “${tag}” stale, in all replicas and CDNs`,
    async run({ applyChange, purges, config }, tag) {
      await applyChange({ kind: 'ops-purge', tag, by: config.replicaId ?? os.hostname() }, 'operator');
      const isShared = await purges.settled();
      // Use the words of the response to `DELETE /cache`.
      if (isShared) return purges.isOn ? 'done, and sent to the other replicas' : 'done';
      return 'done here, and not sent to the other replicas: they get it when the shared log works';
    },
  },
  examine: {
    label: 'Examine now',
    effect: () => 'Let the doctor examine the CMS, by some dozen calls',
    run: async ({ doctor }) => `${(await doctor.examine()).findings.length} findings`,
  },
  retry: {
    label: 'Retry',
    effect: id => `Try the message ${id} for another 24 hours`,
    async run({ messages }, id) {
      const found = (await findMessages(messages)).find(one => one.id === id);
      return found && (await retryMessage(messages, found)) ? 'done' : 'the message has gone';
    },
  },
  erase: {
    label: 'Delete',
    effect: id => `Delete the message ${id} for good: nobody gets it`,
    async run({ messages }, id) {
      const isKnown = (await findMessages(messages)).some(one => one.id === id);
      if (isKnown) await eraseMessage(messages, id);
      return isKnown ? 'done' : 'the message has gone';
    },
  },
  level: {
    label: 'Set',
    effect: level => `Write log entries from the level “${level}” on, for ten minutes`,
    run({ log, config }, level) {
      if (!LEVELS.includes(level)) return 'the level is unknown';
      log.level = level;
      clearTimeout(levelTimer);
      levelEndsAt = Date.now() + LEVEL_LASTS_MS;
      levelTimer = setTimeout(() => {
        log.level = config.logLevel;
      }, LEVEL_LASTS_MS).unref();
      return 'done';
    },
  },
  drain: {
    label: 'Drain and end',
    effect: () => 'End this process as SIGTERM does: /readyz is a 503, open requests are answered',
    run() {
      // Run the handlers of SIGTERM in this process, without sending a signal.
      setImmediate(() => process.emit('SIGTERM', 'SIGTERM'));
      return 'begun';
    },
  },
};

let levelTimer: NodeJS.Timeout | undefined;
let levelEndsAt = 0;

/**
 * @returns a form with the action's button. The server acts only after a confirmation.
 * @param input replaces the hidden field of `target`.
 */
export function actionButton(name: string, target = '', input: Html | null = null): Html {
  return html`<form method="post" action="/act"><input type="hidden" name="action" value="${name}">
${input ?? html`<input type="hidden" name="target" value="${target}">`}<button>${ACTIONS[name]?.label}</button></form>`;
}

export function signInForm(sentence: string): Html {
  return html`<form method="post" action="/sign-in"><label>${sentence}
<input type="password" name="token" aria-label="OPS_TOKEN" required autocomplete="current-password"></label><button>Sign in</button></form>`;
}

export class Actions {
  readonly #parts: OpsPageParts;
  #last: { at: number; effect: string; outcome: string } | null = null;

  constructor(parts: OpsPageParts) {
    this.#parts = parts;
  }

  readonly section: Section = {
    id: 'actions',
    title: 'Actions',
    isWide: true,
    isStatic: true,
    show: ({ parts: { config, log }, isSignedIn }) => {
      if (config.opsToken === null) return null;
      if (!isSignedIn) return signInForm('For addresses, ids and buttons: OPS_TOKEN');
      const options = LEVELS.map(
        level => html`<option${level === log.level && html` selected`}>${level}</option>`,
      );
      const tag = html`<label>Tag, such as articles, or * for everything
<input name="target" required maxlength="${MAX_TARGET_LENGTH}" autocomplete="off"></label>`;
      const level = html`<label>Level of the log <select name="target">${options}</select></label>`;
      const until = new Date(levelEndsAt).toISOString();
      const ends = html`<p>The level of the log is ${log.level} until <time datetime="${until}">${until.slice(11, 16)} UTC</time>, then ${config.logLevel}.</p>`;
      return html`${this.#last && outcomeOf(this.#last)}${log.level !== config.logLevel && ends}${actionButton('purge', '', tag)}${actionButton('level', '', level)}${actionButton('drain')}
<form method="post" action="/sign-out"><button>Sign out</button></form>`;
    },
  };

  /** Asks for confirmation, then acts and logs. @param send sends a document. */
  handle(send: (res: Response, title: string, body: Html) => void): RequestHandler {
    return async (req, res) => {
      const { action: name, target, confirmed }: Readonly<Record<string, unknown>> = req.body;
      const action = typeof name === 'string' && Object.hasOwn(ACTIONS, name) ? ACTIONS[name] : undefined;
      if (!action || typeof target !== 'string' || target.length > MAX_TARGET_LENGTH)
        return void res.status(400).json({ error: 'There is no such action' });
      const effect = action.effect(target);
      if (confirmed !== 'yes') return send(res, 'Confirm', question(String(name), effect, target));
      const outcome = await Promise.resolve(action.run(this.#parts, target)).catch(
        (error: unknown) => `failed: ${error instanceof Error ? error.message : String(error)}`,
      );
      this.#last = { at: Date.now(), effect, outcome };
      this.#parts.log.info(
        { code: 'ops-action', action: name, target, outcome },
        'ops page: an operator has acted',
      );
      res.redirect(303, '/#actions');
    };
  }
}

function outcomeOf({ at, effect, outcome }: { at: number; effect: string; outcome: string }): Html {
  return html`<p role="status">${ago(at)}: ${effect}: <strong>${outcome}</strong>.</p>`;
}

function question(name: string, effect: string, target: string): Html {
  const confirmed = html`<input type="hidden" name="target" value="${target}"><input type="hidden" name="confirmed" value="yes">`;
  return html`<main><section><h1>${effect}?</h1>${actionButton(name, target, confirmed)}<p><a href="/">No, go back</a></p></section></main>`;
}
