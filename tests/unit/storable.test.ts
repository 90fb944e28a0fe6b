import { describe, expect, it } from 'vitest';
import { pageRequestOf } from '../../server/page/find-page.ts';
import { shelfOf } from '../../server/page-cache/storable.ts';
import type { FormState } from '../../shared/forms/form-state.ts';

const request = pageRequestOf('/about');
const thanks: FormState = { form: 'contact', status: 'sent', message: null, errors: {}, values: {} };

describe('what may be stored', () => {
  it.each(['GET', 'HEAD'])('is a page that is there, and briefly that one is not: %s', method => {
    expect(shelfOf(method, request, 200)).toBe('pages');
    expect(shelfOf(method, request, 404)).toBe('absent');
    expect(shelfOf(method, pageRequestOf('/about/_payload.json'), 200)).toBe('pages');
  });

  it.each(['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'get', ''])(
    'is nothing that was asked by %s',
    method => {
      expect([200, 404].map(status => shelfOf(method, request, status))).toEqual([null, null]);
    },
  );

  it('is no other status', () => {
    const others = Array.from({ length: 500 }, (_, index) => index + 100).filter(
      status => status !== 200 && status !== 404,
    );
    expect(others.filter(status => shelfOf('GET', request, status) !== null)).toEqual([]);
  });

  it.each(['sent', 'invalid', 'failed'] as const)('is no answer to a form: %s', status => {
    const answer = { ...request, formState: { ...thanks, status } };
    expect([200, 404].map(code => shelfOf('GET', answer, code))).toEqual([null, null]);
  });
});
