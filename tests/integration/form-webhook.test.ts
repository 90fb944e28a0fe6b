import { createHmac } from 'node:crypto';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import { expect } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { formTest, SEND, words } from '../support/form-test.ts';
import { close, listen } from '../support/listen.ts';
import { postJson, sendRequest } from '../support/send-request.ts';

const KEY = Buffer.from('a-key-of-the-webhook-with-32-byte');
const SECRET = `whsec_${KEY.toString('base64')}`;

interface Call {
  headers: IncomingHttpHeaders;
  body: string;
}

/** A receiver on a socket. It answers with `statuses` in order, and then with 204. */
const it = formTest.extend('receiver', async ({}, { onCleanup }) => {
  const calls: Call[] = [];
  const statuses: number[] = [];
  const server = createServer(async (req, res) => {
    let body = '';
    for await (const chunk of req) body += chunk;
    calls.push({ headers: req.headers, body });
    res.writeHead(statuses.shift() ?? 204).end();
  });
  const url = await listen(server);
  onCleanup(() => close(server));
  return { url: `${url}/hook`, calls, statuses };
});

it('a message goes to the webhook, signed as Standard Webhooks, with one id in all attempts', async ({
  receiver,
  withSite,
  received,
  quiet,
}) => {
  receiver.statuses.push(500, 401);
  const env = { FORM_WEBHOOK_URL: receiver.url, FORM_WEBHOOK_SECRET: SECRET };
  await withSite({ env, overrides: { outbox: { pace: 1_000 } } }, async other => {
    const message = words();
    expect((await postJson(other.url, SEND, message)).status).toBe(202);
    await eventually(() => expect(receiver.calls).toHaveLength(3));
    await quiet(other);
    const { form, ...data } = message;
    for (const { headers, body } of receiver.calls) {
      expect(JSON.parse(body)).toEqual({ type: `form.${form}`, timestamp: expect.any(String), data });
      const id = String(headers['webhook-id']);
      const timestamp = String(headers['webhook-timestamp']);
      expect(Math.abs(Number(timestamp) - Date.now() / 1_000)).toBeLessThan(300);
      const signed = createHmac('sha256', KEY).update(`${id}.${timestamp}.${body}`).digest('base64');
      expect(headers['webhook-signature']).toBe(`v1,${signed}`);
    }
    expect(new Set(receiver.calls.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
    // The CMS has got the message once, whatever the receiver's response was.
    expect(received()).toHaveLength(1);
    expect(JSON.parse(received()[0]?.body ?? '')).toEqual(message);
    const { text } = await sendRequest(other.opsUrl, '/metrics');
    for (const outcome of ['used', 'refused'])
      expect(text).toContain(`site_secret_uses_total{secret="FORM_WEBHOOK_SECRET",outcome="${outcome}"} 1`);
    const codes = other.log.map(({ code }) => code);
    expect(codes).not.toContain('outbox-cms-down');
    expect(codes).toContain('outbox-webhook-down');
    expect(codes).toContain('outbox-webhook-up');
  });
});

it('the links of a subscription go to the subscriber, and not to the webhook', async ({
  receiver,
  withSite,
  bodies,
}) => {
  const env = {
    FORM_WEBHOOK_URL: receiver.url,
    FORM_WEBHOOK_SECRET: SECRET,
    PUBLIC_URL: 'http://127.0.0.1',
    SUBSCRIBE_SECRET: 'a-secret-of-the-newsletter-long-enough',
  };
  await withSite({ env }, async other => {
    const post = { form: 'subscribe', email: 'ada@example.com' };
    expect((await postJson(other.url, SEND, post)).status).toBe(202);
    await eventually(() => expect(receiver.calls).toHaveLength(1));
    await eventually(() => expect(bodies()).toHaveLength(1));
    expect(receiver.calls[0]?.body).toContain('form.subscribe');
    expect(receiver.calls[0]?.body).not.toContain('token=');
    expect(JSON.stringify(bodies())).toContain('token=');
  });
});
