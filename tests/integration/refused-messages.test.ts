import { describe, expect } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { failing, sendJson } from '../support/fake-backend.ts';
import { outboxTest as it, message, SEND } from '../support/outbox-test.ts';
import { postJson } from '../support/send-request.ts';

describe('a backend that refuses a message', () => {
  it.for([400, 413, 415, 422])(
    'a message refused with %i is a dead letter at once, and the log has the backend’s error message',
    async (status, { backend, start, received, names }) => {
      const sent = message();
      const sentence = `No mail to ${sent.email} today`;
      backend.on(SEND, (_req, res) =>
        sendJson(res, status, { data: null, error: { status, name: 'ValidationError', message: sentence } }),
      );
      const site = await start();
      expect((await postJson(site.url, SEND, sent)).status).toBe(202);
      await eventually(() => expect(site.site.outbox.state).toMatchObject({ waiting: 0, dead: 1 }));
      expect(await names('dead')).toHaveLength(1);
      expect(received()).toHaveLength(1);
      const lines = site.log.filter(({ code }) => code.startsWith('outbox-'));
      expect(lines).toMatchObject([{ level: 'error', code: 'outbox-message-refused' }]);
      expect(JSON.stringify(lines)).toContain(`answered ${status} (No mail to [secret] today)`);
      expect(JSON.stringify(site.log)).not.toContain(sent.email);
    },
  );
});

describe('a backend that accepts no messages', () => {
  it.for<[status: number, remedy: RegExp]>([
    [401, /CONTENT_TOKEN .*Settings → API Tokens/],
    [403, /'send' of Email .*Settings → API Tokens/],
    [404, /route POST \/api\/email\/send/],
    [405, /route POST \/api\/email\/send/],
    [421, /CONTENT_BASE_URL/],
  ])(
    'a backend that accepts no messages (%i) is logged once with a remedy, and messages wait',
    async ([status, remedy], { backend, start, received, emails, names }) => {
      backend.on(SEND, failing(status));
      const site = await start();
      const sent = [message(), message()];
      for (const one of sent) expect((await postJson(site.url, SEND, one)).status).toBe(202);
      // Each message was tried twice.
      await eventually(() => expect(received().length).toBeGreaterThanOrEqual(4));
      expect(await names('waiting')).toHaveLength(2);
      const errors = () => site.log.filter(({ level }) => level === 'error');
      expect(errors()).toMatchObject([{ code: 'outbox-cms-down', status }]);
      expect(errors()[0]?.remedy).toMatch(remedy);

      backend.on(SEND, {});
      await eventually(() => expect(site.site.outbox.state).toMatchObject({ waiting: 0, dead: 0 }));
      expect(new Set(emails())).toEqual(new Set(sent.map(({ email }) => email)));
      const again = site.log.filter(({ code }) => code === 'outbox-cms-up');
      expect(again).toMatchObject([{ level: 'warn' }]);
    },
  );

  it('while the CMS sends no response, the remedy in the log is to repair the CMS', async ({
    backend,
    start,
  }) => {
    const site = await start();
    backend.on(SEND, (_, res) => res.destroy());
    expect((await postJson(site.url, SEND, message())).status).toBe(202);
    const entries = () => site.log.filter(({ code }) => code === 'outbox-cms-down');
    await eventually(() =>
      expect(entries()).toMatchObject([{ status: null, remedy: 'repair the CMS: it gives no answer' }]),
    );
  });
});
