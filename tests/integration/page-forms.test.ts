import { randomUUID } from 'node:crypto';
import { describe, expect } from 'vitest';
import { failing } from '../support/fake-backend.ts';
import {
  ADDRESSEE,
  BROCHURE,
  pageFormTest as it,
  PAGE,
  SEND,
  TYPED,
  VISIT,
  within,
} from '../support/page-form-test.ts';
import { parsePage } from '../support/parse-page.ts';
import { AS_BROWSER, postForm, postJson, sendRequest } from '../support/send-request.ts';
import { startSite } from '../support/start-site.ts';

const WORDS = `Your name: Ada Byron
Your e-mail: ada@example.com
Telephone: +49 30 1234567
Where: By video
What else, "in short"?:
Two lines,
of text.
You may call me: ✓`;

describe('a form that editors build', () => {
  it('a message has the labels of its fields, and goes to the addressee of its section', async ({
    site,
    hidden,
    messages,
  }) => {
    const [visit = {}, brochure = {}] = await hidden();
    const forged = { to: 'eve@example.com', addressee: 'eve@example.com', topic: 'x', message: 'x' };
    const answer = await postJson(site.url, SEND, { ...visit, ...TYPED, ...forged });
    expect([answer.status, answer.json()]).toEqual([202, { sent: visit.form }]);
    const address = { 'field:Postal address': `Elm Street ${randomUUID()}` };
    expect((await postJson(site.url, SEND, { ...brochure, ...address })).status).toBe(202);
    expect(await messages()).toEqual([
      {
        form: 'page-form',
        topic: 'Ask for a visit',
        page: PAGE,
        email: 'ada@example.com',
        to: ADDRESSEE,
        message: WORDS,
      },
      {
        form: 'page-form',
        topic: 'Ask for a brochure',
        page: PAGE,
        message: `Postal address: ${address['field:Postal address']}`,
      },
    ]);
  });

  it('requests with the same idempotency key make one message', async ({ site, hidden, messages }) => {
    const [visit = {}] = await hidden();
    const post = { ...visit, ...TYPED, idempotencyKey: randomUUID() };
    for (let time = 0; time < 2; time += 1) expect((await postJson(site.url, SEND, post)).status).toBe(202);
    expect(await messages()).toHaveLength(1);
  });

  it('no response to visitors contains the addressee', async ({ site, hidden }) => {
    const [visit = {}] = await hidden();
    const answers = await Promise.all([
      ...[
        PAGE,
        `${PAGE}/_payload.json`,
        `${PAGE}?sent=form-1`,
        `${PAGE}.md`,
        '/search?q=visits',
        '/sitemap.xml',
      ].map(path => sendRequest(site.url, path, { headers: AS_BROWSER })),
      postJson(site.url, SEND, visit),
      postForm(site.url, SEND, visit),
      postForm(site.url, SEND, { ...visit, ...TYPED, version: 'x' }),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 200, 422, 422, 422]);
    for (const { text } of answers) expect(text).not.toContain(ADDRESSEE);
    for (const { text } of answers.slice(0, 2)) expect(text).toContain('Ask for a visit');
  });

  it('each field is checked by its kind, with the error texts of the other forms', async ({
    site,
    hidden,
  }) => {
    const [visit = {}] = await hidden();
    const errorsOf = async (values: object) => {
      const answer = await postJson(site.url, SEND, { ...visit, ...values });
      expect(answer.status).toBe(422);
      return answer.json<{ errors: Record<string, string> }>().errors;
    };
    expect(await errorsOf({})).toEqual({
      'field:Your name': 'Please fill this in.',
      'field:Your e-mail': 'Please enter a complete e-mail address, such as name@example.com.',
      'field:Where': 'Please choose one of these.',
      'field:You may call me': 'Please agree to this sentence.',
    });
    const wrong = {
      'field:Your name': 'Ada\r\nBcc: eve@example.com',
      'field:Your e-mail': 'ada@example',
      'field:Telephone': 'none',
      'field:Where': 'At home',
      'field:What else, "in short"?': 'x'.repeat(5_001),
    };
    expect(await errorsOf({ ...TYPED, ...wrong })).toEqual({
      'field:Your name': 'Please remove line breaks and control characters.',
      'field:Your e-mail': 'Please enter a complete e-mail address, such as name@example.com.',
      'field:Telephone': 'Please enter a telephone number with at least five digits.',
      'field:Where': 'Please choose one of these.',
      'field:What else, "in short"?': 'Please use at most 5,000 characters.',
    });
  });

  it('robots are refused as they are by the other forms', async ({ site, hidden, messages }) => {
    const [visit = {}] = await hidden();
    const post = { ...visit, ...TYPED };
    const trapped = await postJson(site.url, SEND, { ...post, website: 'x' });
    expect(Object.keys(trapped.json<{ errors: object }>().errors)).toEqual(['website']);
    const tooSoon = await postJson(site.url, SEND, { ...post, elapsedMs: '10' });
    expect([trapped.status, tooSoon.status]).toEqual([422, 422]);
    expect(await messages()).toEqual([]);
    const counted = (await sendRequest(site.opsUrl, '/metrics')).text;
    expect(counted).toContain('site_forms_total{form="page-form",outcome="trapped"} 1');
  });
});

describe('a form that editors build, without JavaScript', () => {
  it('an accepted form redirects to its page, where the thanks replace the form', async ({
    site,
    hidden,
  }) => {
    const [visit = {}, brochure = {}] = await hidden();
    const answer = await postForm(site.url, SEND, {
      ...visit,
      ...TYPED,
      'field:What else, "in short"?': randomUUID(),
    });
    expect(answer.status).toBe(303);
    expect(answer.headers.location).toBe(`${PAGE}?sent=form-1#${visit.form}`);
    const { text } = await sendRequest(site.url, `${PAGE}?sent=form-1`, { headers: AS_BROWSER });
    const page = parsePage(text);
    expect(page.main).toContain('A date follows.');
    const ids = page.all('div').map(({ properties }) => properties.id);
    expect(ids).toContain(visit.form);
    expect(page.main).toContain('Postal address');
    expect(text).not.toContain('Thank you.');
    expect(brochure.form).toBe(visit.form?.replace('form-1', 'form-2'));
  });

  it('a refused form returns the page with all typed words, errors and links to the fields', async ({
    site,
    hidden,
  }) => {
    const [visit = {}] = await hidden();
    const typed = { ...TYPED, 'field:Your e-mail': 'ada@example"><script>' };
    const answer = await postForm(site.url, SEND, { ...visit, ...typed });
    expect(answer.status).toBe(422);
    const page = parsePage(answer.text);
    const fields = [...page.all('input'), ...page.all('textarea')];
    const wrong = fields.filter(({ properties }) => properties.ariaInvalid === 'true');
    expect(wrong.map(({ properties }) => properties.value)).toEqual(['ada@example"><script>']);
    const [
      {
        properties: { id = '' },
      } = { properties: {} },
    ] = wrong;
    expect(page.all('a').map(({ properties }) => properties.href)).toContain(`#${id}`);
    const shown = new Map(fields.map(({ properties }) => [properties.name, properties.value]));
    expect(shown.get('field:Your name')).toBe('Ada Byron');
    expect(shown.get('field:Telephone')).toBe('+49 30 1234567');
    expect(page.main).toContain('Two lines,\nof text.');
    const options = page.all('option').filter(({ properties }) => properties.selected !== undefined);
    expect(options.flatMap(option => option.children)).toMatchObject([{ value: 'By video' }]);
    const boxes = fields.filter(({ properties }) => properties.type === 'checkbox');
    expect(boxes.map(({ properties }) => properties.checked)).toEqual([true]);
    expect(page.inline).toEqual([]);
  });

  it('a form that has changed since it was shown keeps all typed words, also those of a removed field', async ({
    site,
    hidden,
    publish,
    messages,
  }) => {
    const [visit = {}] = await hidden();
    const [name, email, , ...others] = VISIT.items;
    await publish([
      { ...VISIT, items: [name, email, { label: 'Budget', needed: true }, ...others] },
      BROCHURE,
    ]);
    const json = await postJson(site.url, SEND, { ...visit, ...TYPED });
    expect([json.status, Object.keys(json.json<{ errors: object }>().errors)]).toEqual([422, ['version']]);
    const answer = await postForm(site.url, SEND, { ...visit, ...TYPED });
    expect(answer.status).toBe(422);
    const page = parsePage(answer.text);
    expect(page.main).toContain('This form has changed since you opened it.');
    expect(page.main).toContain('Telephone: +49 30 1234567');
    const [form] = page.all('form').filter(({ properties }) => properties.action === SEND);
    const fields = form ? within(form) : [];
    const version = fields.find(({ properties }) => properties.name === 'version')?.properties.value;
    expect(version).not.toBe(visit.version);
    const budget = { 'field:Budget': '100', version: String(version) };
    expect((await postForm(site.url, SEND, { ...visit, ...TYPED, ...budget })).status).toBe(303);
    expect(await messages()).toMatchObject([{ message: expect.stringContaining('Budget: 100') }]);
  });

  it('a form with only a changed addressee goes to the new addressee', async ({
    site,
    hidden,
    publish,
    messages,
  }) => {
    const [visit = {}] = await hidden();
    await publish([{ ...VISIT, addressee: 'new@example.com' }]);
    const typed = { ...TYPED, 'field:What else, "in short"?': randomUUID() };
    expect((await postJson(site.url, SEND, { ...visit, ...typed })).status).toBe(202);
    expect(await messages()).toMatchObject([{ to: 'new@example.com' }]);
  });

  it.for([
    ['has lost its forms', PAGE],
    ['is not there', '/no-such-page'],
  ])(
    'a form whose page %s is returned with all typed words and their labels',
    async ([, page = ''], { site, hidden, publish, messages }) => {
      const [visit = {}] = await hidden();
      await publish([]);
      const answer = await postForm(site.url, SEND, { ...visit, ...TYPED, page });
      expect(answer.status).toBe(422);
      const { all, main } = parsePage(answer.text);
      expect(main).toContain('This form is no longer on this page.');
      const values = all('input').map(({ properties }) => properties.value);
      expect(values).toEqual(expect.arrayContaining(['Ada Byron', 'ada@example.com', 'By video']));
      expect(main).toContain('Your e-mail');
      expect(main).toContain('Two lines,\nof text.');
      expect(await messages()).toEqual([]);
    },
  );

  it('too many requests, and a CMS that has never sent the page, lose no typed words', async ({
    backend,
    hidden,
  }) => {
    const [visit = {}] = await hidden();
    const env = { FORM_RATE_LIMIT: '1' };
    const other = await startSite({ contentBaseUrl: backend.url, env });
    try {
      backend.on('/api/pages', failing(500));
      const down = await postForm(other.url, SEND, { ...visit, ...TYPED });
      const limited = await postForm(other.url, SEND, { ...visit, ...TYPED });
      expect([down.status, limited.status]).toEqual([503, 429]);
      for (const { text } of [down, limited]) {
        expect(text).toContain('value="ada@example.com"');
        expect(text).toContain('What else,');
      }
    } finally {
      await other.close();
      backend.reset();
    }
  });
});
