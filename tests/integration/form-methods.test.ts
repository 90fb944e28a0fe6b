import { describe, expect } from 'vitest';
import { AS_BROWSER, sendRequest } from '../support/send-request.ts';
import { siteTest as it } from '../support/site-test.ts';

const ADDRESS = '/api/email/send';
const MESSAGE = { form: 'subscribe', email: 'a@example.com' };

describe('the address of the forms', () => {
  it.for(['GET', 'HEAD', 'PUT', 'DELETE', 'PATCH', 'OPTIONS', 'TRACE'])(
    'the forms address answers 405 to %s, with the allowed method',
    async (method, { site }) => {
      for (const headers of [{}, AS_BROWSER]) {
        const answer = await sendRequest(site.url, ADDRESS, { method, headers });
        expect([answer.status, answer.headers.allow]).toEqual([405, 'POST']);
        expect(answer.headers['cache-control']).toBe('no-store');
      }
    },
  );

  it.for([
    ['text/plain', JSON.stringify(MESSAGE)],
    ['text/plain;charset=UTF-8', 'form=subscribe&email=a%40example.com'],
    [
      'multipart/form-data; boundary=x',
      '--x\r\nContent-Disposition: form-data; name="form"\r\n\r\nsubscribe\r\n--x--',
    ],
    ['application/xml', '<form/>'],
    ['no type at all', '{}'],
  ] as const)('the forms address answers 415 to a body of %s', async ([type, body], { site }) => {
    const headers: Record<string, string> = type.includes('/') ? { 'content-type': type } : {};
    const answer = await sendRequest(site.url, ADDRESS, { method: 'POST', headers, body });
    expect(answer.status).toBe(415);
    expect(answer.headers['accept-post']).toBe('application/json, application/x-www-form-urlencoded');
    expect(answer.json()).toMatchObject({ statusCode: 415, statusMessage: 'Unsupported Media Type' });
  });

  it.for([
    ['application/json', JSON.stringify(MESSAGE)],
    ['application/json; charset=utf-8', JSON.stringify(MESSAGE)],
    ['application/x-www-form-urlencoded', new URLSearchParams(MESSAGE).toString()],
    ['application/x-www-form-urlencoded; charset=UTF-8', new URLSearchParams(MESSAGE).toString()],
  ])('the forms address reads a body of %s', async ([type, body], { site }) => {
    const headers = { 'content-type': String(type), accept: 'application/json' };
    const answer = await sendRequest(site.url, ADDRESS, { method: 'POST', headers, body: String(body) });
    expect([202, 422]).toContain(answer.status);
  });
});
