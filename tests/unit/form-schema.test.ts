import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { siteLanguage } from '../../server/content/reading/site-language.ts';
import { decodeEmailForm } from '../../shared/forms/form-schema.ts';

const LABELS = siteLanguage({ catalogue: 'en', locale: 'en-GB', timeZone: 'UTC', currency: 'USD' }).labels;
const CONTACT = { form: 'contact', name: 'Ada', email: 'ada@example.com', message: 'Hello.' };
const KEY = '0192f0c1-2f6b-7c3e-8a52-0c6e5c9f7b11';

function accepted(values: Record<string, unknown>): Record<string, unknown> {
  const decoded = decodeEmailForm({ ...CONTACT, ...values }, LABELS);
  expect(decoded).toMatchObject({ ok: true });
  return decoded.ok ? { ...decoded.value } : {};
}
function wrong(values: Record<string, unknown>): string[] {
  const decoded = decodeEmailForm({ ...CONTACT, ...values }, LABELS);
  return decoded.ok ? [] : Object.keys(decoded.error);
}

describe('an e-mail address', () => {
  it.each([
    'ada@example.com',
    'a@b.co',
    "o'brien+news/x=1@mail.example.co.uk",
    'ada.byron_king@sub.sub.example.museum',
    'ada@münchen.example',
    'ada@xn--mnchen-3ya.example',
    'ada@例え.テスト',
    'ada@пример.рф',
    'ada@مثال.إختبار',
    'जोसे@उदाहरण.भारत',
    'josé.núñez@example.com',
    '用户@例子.公司',
    `${'a'.repeat(64)}@example.com`,
  ])('the e-mail address %s is accepted', email => {
    expect(accepted({ email }).email).toBe(email.normalize('NFC'));
  });

  it.each([
    'ada',
    'ada@',
    '@example.com',
    'ada@example',
    'ada@localhost',
    'ada@example.com, eve@example.com',
    'ada@example.com;eve@example.com',
    'ada@@example.com',
    'Ada <ada@example.com>',
    '"ada"@example.com',
    'ada@[127.0.0.1]',
    'ada@127.0.0.1',
    '.ada@example.com',
    'ada.@example.com',
    'a..b@example.com',
    'ada@-example.com',
    'ada@example-.com',
    'ada@exa mple.com',
    'ada@example..com',
    'ada@example.com.',
    'ada@example.com\nBcc: eve@example.com',
    'ada@example.com\r\nBcc: eve@example.com',
    'ada\u0000@example.com',
    'ada\u2028@example.com',
    'ada\u200b@example.com',
    'ada\u202e@example.com',
    'ada\ud800@example.com',
    `${'a'.repeat(65)}@example.com`,
    `ada@${'a'.repeat(64)}.com`,
    `ada@${'abcdefgh.'.repeat(30)}com`,
  ])('the e-mail address %j is refused', email => {
    expect(wrong({ email })).toEqual(['email']);
  });

  it('an e-mail address that could make a regular expression backtrack is refused', () => {
    for (const email of [
      `${'a.'.repeat(120)}@`,
      `a@${'a-'.repeat(120)}`,
      `a@${'a.'.repeat(120)}-`,
      '!'.repeat(250),
    ])
      expect(wrong({ email })).toEqual(['email']);
  });
});

describe('a name', () => {
  it.each([
    'José Núñez',
    'O’Brien-Smith, Jr.',
    '李小龍',
    'محمد علي',
    'क्षितिज',
    'می‌خواهم',
    'X Æ A-12',
    '👩‍🚀',
  ])('the name %s is accepted', name => {
    expect(accepted({ name }).name).toBe(name.normalize('NFC'));
  });

  it('a name is trimmed and normalized to NFC', () => {
    expect(accepted({ name: '  Jose\u0301  ' }).name).toBe('José');
  });

  it.each([
    '\n',
    '\r',
    '\t',
    '\u0000',
    '\u001b',
    '\u007f',
    '\u0085',
    '\u2028',
    '\u2029',
    '\u202e',
    '\u2066',
    '\udc00',
  ])('a name, company or topic with the character %j is refused', character => {
    const text = `Ada${character}Bcc: eve@example.com`;
    expect(wrong({ name: text, company: text, topic: text }).sort()).toEqual(['company', 'name', 'topic']);
  });
});

describe('a message', () => {
  it('a message may have several lines and tabs, and its line breaks become LF', () => {
    expect(accepted({ message: ' a\r\nb\rc\n\n\td ' }).message).toBe('a\nb\nc\n\n\td');
  });

  it('a message may have 5,000 characters, and a line break counts as one', () => {
    expect(accepted({ message: 'x'.repeat(5_000) }).message).toHaveLength(5_000);
    expect(accepted({ message: `${'x\r\n'.repeat(2_499)}xx` }).message).toHaveLength(5_000);
    expect(wrong({ message: 'x'.repeat(5_001) })).toEqual(['message']);
  });

  it('a text with too many stacked combining marks is refused before it is normalized', () => {
    const marks = (count: number) => `a${'\u0301'.repeat(count)}${'\u0316'.repeat(count)}`;
    expect(accepted({ message: marks(15), name: marks(15) }).message).toBe(marks(15).normalize('NFC'));
    const normalize = vi.spyOn(String.prototype, 'normalize');
    try {
      for (const field of ['message', 'name', 'email', 'company', 'topic'])
        expect(wrong({ [field]: marks(16) })).toEqual([field]);
      expect(normalize.mock.contexts.map(String).filter(text => text.includes(marks(16)))).toEqual([]);
    } finally {
      normalize.mockRestore();
    }
  });

  it.each(['\u0000', '\u001b', '\u007f', '\ud800'])(
    'a message with the character %j is refused',
    character => {
      expect(wrong({ message: `a${character}b` })).toEqual(['message']);
    },
  );
});

describe('a form', () => {
  it('a decoded form has only its declared fields, without empty ones', () => {
    expect(
      accepted({ company: ' ', topic: '', page: '/x', website: '', __proto__: { x: 1 }, extra: 1 }),
    ).toEqual(CONTACT);
    expect(decodeEmailForm({ ...CONTACT, form: 'subscribe' }, LABELS)).toEqual({
      ok: true,
      value: { form: 'subscribe', email: 'ada@example.com' },
    });
  });

  it('the idempotency key of a form is a UUID, or missing', () => {
    expect(accepted({ idempotencyKey: KEY }).idempotencyKey).toBe(KEY);
    for (const key of ['x', `${KEY}\r\nX: y`, `{${KEY}}`, 'f'.repeat(36)])
      expect(wrong({ idempotencyKey: key })).toEqual(['idempotencyKey']);
  });

  it('an empty form has an error for each required field', () => {
    const decoded = decodeEmailForm({ form: 'contact' }, LABELS);
    expect(decoded).toEqual({
      ok: false,
      error: {
        name: 'Please enter your name.',
        email: 'Please enter a complete e-mail address, such as name@example.com.',
        message: 'Please write a message.',
      },
    });
    expect(wrong({ form: 'other' })).toEqual(['form']);
  });

  it('any input is refused, or decoded to a form without control characters', () => {
    fc.assert(
      fc.property(
        fc.dictionary(fc.string(), fc.anything()),
        fc.string({ unit: 'binary' }),
        (values, text) => {
          const decoded = decodeEmailForm(
            { ...CONTACT, ...values, name: text, email: text, topic: text },
            LABELS,
          );
          if (!decoded.ok) return;
          // biome-ignore lint/suspicious/noControlCharactersInRegex: the test shows that there is none.
          expect(JSON.stringify(Object.values(decoded.value))).not.toMatch(/[\u0000-\u001f]|\\[nru]/);
        },
      ),
    );
  });
});
