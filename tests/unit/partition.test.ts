import { describe, expect, it } from 'vitest';
import { pageRequestOf } from '../../server/page/page-request.ts';
import { partitionOf } from '../../server/page-cache/partition.ts';
import type { FormState } from '../../shared/forms/form-state.ts';

const request = pageRequestOf('/about');
const thanks: FormState = { form: 'contact', status: 'sent', message: null, errors: {}, values: {} };

describe('the partition of an answer', () => {
  it.each(['GET', 'HEAD'])(
    'is positive for a page that exists, negative for one that does not: %s',
    method => {
      expect(partitionOf(method, request, 200)).toBe('positive');
      expect(partitionOf(method, request, 404)).toBe('negative');
      expect(partitionOf(method, pageRequestOf('/about/_payload.json'), 200)).toBe('positive');
    },
  );

  it.each(['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'get', ''])('is none for the method %j', method => {
    expect([200, 404].map(status => partitionOf(method, request, status))).toEqual([null, null]);
  });

  it('is none for any status but 200, 404 and 410', () => {
    const others = Array.from({ length: 500 }, (_, index) => index + 100).filter(
      status => status !== 200 && status !== 404 && status !== 410,
    );
    expect(others.filter(status => partitionOf('GET', request, status) !== null)).toEqual([]);
  });

  it.each(['invalid', 'failed'] as const)('is none for the answer to a form: %s', status => {
    const answer = { ...request, formState: { ...thanks, status } };
    expect([200, 404].map(code => partitionOf('GET', answer, code))).toEqual([null, null]);
  });

  it('is that of the page for the thanks for a message, which hold nothing of the visitor', () => {
    const answer = { ...request, formState: thanks };
    expect([200, 404].map(code => partitionOf('GET', answer, code))).toEqual(['positive', 'negative']);
  });
});
