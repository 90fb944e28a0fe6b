import { describe, expect, it } from 'vitest';
import { pageRequestOf } from '../../server/page/page-request.ts';
import { partitionOf } from '../../server/page/produce/produce-page.ts';
import type { FormState } from '../../shared/forms/form-state.ts';

const request = pageRequestOf('/about');
const thanks: FormState = { form: 'contact', status: 'sent', message: null, errors: {}, values: {} };

describe('the partition of a response', () => {
  it('an existing page belongs to the positive partition, and a missing page to the negative one', () => {
    expect(partitionOf(request, 200)).toBe('positive');
    expect(partitionOf(request, 404)).toBe('negative');
    expect(partitionOf(pageRequestOf('/about/_payload.json'), 200)).toBe('positive');
  });

  it('a status other than 200, 404 or 410 belongs to no partition', () => {
    const others = Array.from({ length: 500 }, (_, index) => index + 100).filter(
      status => status !== 200 && status !== 404 && status !== 410,
    );
    expect(others.filter(status => partitionOf(request, status) !== null)).toEqual([]);
  });

  it.each(['invalid', 'failed'] as const)('the response to a form belongs to no partition: %s', status => {
    const answer = { ...request, formState: { ...thanks, status } };
    expect([200, 404].map(code => partitionOf(answer, code))).toEqual([null, null]);
  });

  it('a thank-you page belongs to the partition of its page, because it holds no data of the visitor', () => {
    const answer = { ...request, formState: thanks };
    expect([200, 404].map(code => partitionOf(answer, code))).toEqual(['positive', 'negative']);
  });
});
