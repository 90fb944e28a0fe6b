import { describe, expect, it } from 'vitest';
import { pageRequestOf } from '../../server/page/page-request.ts';
import { partitionOf } from '../../server/page/produce/produce-page.ts';
import type { FormState } from '../../shared/forms/form-state.ts';

const request = pageRequestOf('/about');
const thanks: FormState = { form: 'contact', status: 'sent', message: null, errors: {}, values: {} };

describe('the partition of an answer', () => {
  it('the partition of an answer is positive for a page that exists, negative for one that does not', () => {
    expect(partitionOf(request, 200)).toBe('positive');
    expect(partitionOf(request, 404)).toBe('negative');
    expect(partitionOf(pageRequestOf('/about/_payload.json'), 200)).toBe('positive');
  });

  it('the partition of an answer is none for any status but 200, 404 and 410', () => {
    const others = Array.from({ length: 500 }, (_, index) => index + 100).filter(
      status => status !== 200 && status !== 404 && status !== 410,
    );
    expect(others.filter(status => partitionOf(request, status) !== null)).toEqual([]);
  });

  it.each(['invalid', 'failed'] as const)(
    'the partition of an answer is none for the answer to a form: %s',
    status => {
      const answer = { ...request, formState: { ...thanks, status } };
      expect([200, 404].map(code => partitionOf(answer, code))).toEqual([null, null]);
    },
  );

  it('the partition of an answer is that of the page for the thanks for a message, which hold nothing of the visitor', () => {
    const answer = { ...request, formState: thanks };
    expect([200, 404].map(code => partitionOf(answer, code))).toEqual(['positive', 'negative']);
  });
});
