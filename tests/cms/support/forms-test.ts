import { randomUUID } from 'node:crypto';
import { SEND } from '../../support/form-test.ts';
import { sendRequest } from '../../support/send-request.ts';
import { cmsTest } from './cms-test.ts';
import { startMailServer } from './mail-server.ts';

/** Gives each test file a CMS that mails the messages of the forms. */
export const formsTest = cmsTest
  .extend('mail', { scope: 'file' }, async ({}, { onCleanup }) => {
    const mail = await startMailServer();
    onCleanup(() => mail.close());
    return mail;
  })
  .extend('cmsEnv', { scope: 'file' }, async ({ mail }) => ({
    SMTP_HOST: '127.0.0.1',
    SMTP_PORT: String(mail.port),
    MAIL_FROM: 'site@example.com',
    MAIL_TO: 'office@example.com',
  }))
  /** Sends a POST request to the CMS as the site does. */
  .extend('post', { scope: 'file' }, async ({ cms, settings }) => {
    return async (
      body: string,
      {
        key = randomUUID() as string,
        type = 'application/json',
        token = settings.SITE_TOKEN,
        url = cms.url,
      } = {},
    ) => {
      // Each request opens a new connection, because the CMS may just be closing an idle one.
      const answer = await sendRequest(url, SEND, {
        method: 'POST',
        headers: {
          'Content-Type': type,
          'Content-Length': String(Buffer.byteLength(body)),
          ...(key ? { 'Idempotency-Key': key } : {}),
          ...(token ? { Authorization: `Bearer ${token}` } : {}),
        },
        body,
      });
      const { error } = answer.json<{ error?: { message: string } }>();
      return { status: answer.status, sentence: error?.message ?? null };
    };
  });

/** @returns the messages that the CMS has stored. */
export async function messages(admin: {
  call(method: string, path: string): Promise<unknown>;
}): Promise<Record<string, unknown>[]> {
  const path = '/content-manager/collection-types/api::message.message?pageSize=100';
  return ((await admin.call('GET', path)) as { results: Record<string, unknown>[] }).results;
}
