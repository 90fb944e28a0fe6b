import { EventEmitter } from 'node:events';
import type { ServerResponse } from 'node:http';
import { describe, expect, it } from 'vitest';
import { requestHeaders, withoutRequestId, withRequestId } from '../../server/http/request/request-scope.ts';

describe('requestHeaders', () => {
  it('requestHeaders returns the id of the current request, even in asynchronous work', async () => {
    const found = Promise.withResolvers<object>();
    const res = new EventEmitter() as ServerResponse;
    withRequestId('a-1', res, () => void Promise.resolve().then(() => found.resolve(requestHeaders())));
    expect(await found.promise).toEqual({ 'X-Request-Id': 'a-1' });
    expect(requestHeaders()).toEqual({});
  });

  it('requestHeaders returns no id after the response has closed', () => {
    const res = new EventEmitter() as ServerResponse;
    withRequestId('a-1', res, () => {
      res.emit('close');
      expect(requestHeaders()).toEqual({});
    });
    expect.assertions(1);
  });

  it('requestHeaders returns no id inside withoutRequestId', () => {
    withRequestId('a-1', new EventEmitter() as ServerResponse, () => {
      expect(withoutRequestId(requestHeaders)).toEqual({});
      expect(requestHeaders()).toEqual({ 'X-Request-Id': 'a-1' });
    });
    expect.assertions(2);
  });
});
