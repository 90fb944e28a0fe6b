import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { mayReload } from '../../client/reloads/reload-guard.ts';
import { RELOAD_GUARD_WINDOW_MS } from '../../shared/constants.ts';

const NOW = 1_000_000;
const KEY = 'site:reload';

let stored: Map<string, string>;
let broken: 'no' | 'reading' | 'writing';

beforeEach(() => {
  stored = new Map();
  broken = 'no';
  const storage = {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem(key: string, value: string) {
      if (broken === 'writing') throw new DOMException('Full', 'QuotaExceededError');
      stored.set(key, value);
    },
  };
  vi.stubGlobal('location', { pathname: '/here' });
  const entry = {
    state: { idx: 2, key: 'abc' } as object | null,
    replaceState(state: object) {
      entry.state = state;
    },
  };
  vi.stubGlobal('history', entry);
  Object.defineProperty(globalThis, 'sessionStorage', {
    configurable: true,
    get() {
      if (broken === 'reading') throw new DOMException('Denied', 'SecurityError');
      return storage;
    },
  });
});
afterEach(() => {
  vi.unstubAllGlobals();
  Reflect.deleteProperty(globalThis, 'sessionStorage');
});

describe('with session storage', () => {
  it('a path may reload once in each window', () => {
    expect(mayReload('/a', NOW)).toBe(true);
    expect(mayReload('/a', NOW)).toBe(false);
    expect(mayReload('/a', NOW + RELOAD_GUARD_WINDOW_MS - 1)).toBe(false);
    expect(mayReload('/a', NOW + RELOAD_GUARD_WINDOW_MS)).toBe(true);
  });

  it('the stored map keeps each path until its expiry', () => {
    mayReload('/a', NOW);
    expect(JSON.parse(stored.get(KEY) ?? '')).toEqual({ '/a': NOW + RELOAD_GUARD_WINDOW_MS });
    mayReload('/b', NOW + RELOAD_GUARD_WINDOW_MS);
    expect(JSON.parse(stored.get(KEY) ?? '')).toEqual({ '/b': NOW + 2 * RELOAD_GUARD_WINDOW_MS });
  });

  it('at most three paths may reload within the window', () => {
    const allowed = Array.from({ length: 50 }, (_, index) =>
      mayReload(`/p-${index % 10}`, NOW + index),
    ).filter(Boolean);
    expect(allowed).toHaveLength(3);
  });

  it('two paths that reload alternately get four reloads in two windows', () => {
    let loads = 0;
    for (let at = 0; at < 2 * RELOAD_GUARD_WINDOW_MS; at += 100) {
      if (mayReload(at % 200 === 0 ? '/a' : '/b', NOW + at)) loads += 1;
    }
    expect(loads).toBe(4);
  });

  it.each(['not JSON', 'null', '5', '"text"', '[]', '{"/a":"soon"}', '{"/a":null}'])(
    'the reload guard ignores the stored text %s',
    text => {
      stored.set(KEY, text);
      expect(mayReload('/a', NOW)).toBe(true);
      expect(mayReload('/a', NOW)).toBe(false);
    },
  );

  it('a path may have the name of a property of Object.prototype', () => {
    expect(mayReload('__proto__', NOW)).toBe(true);
    expect(mayReload('constructor', NOW)).toBe(true);
  });
});

describe.each(['reading', 'writing'] as const)('where the browser refuses %s session storage', how => {
  beforeEach(() => {
    broken = how;
  });

  it('without session storage the reload guard is a mark in the history state', () => {
    expect(mayReload('/here', NOW)).toBe(true);
    expect(history.state).toEqual({ idx: 2, key: 'abc', reloadGuard: NOW + RELOAD_GUARD_WINDOW_MS });
    expect(mayReload('/here', NOW + RELOAD_GUARD_WINDOW_MS - 1)).toBe(false);
    expect(mayReload('/here', NOW + RELOAD_GUARD_WINDOW_MS)).toBe(true);
  });

  it('a history entry without a state gets the mark of the reload guard', () => {
    history.replaceState(null, '');
    expect(mayReload('/here', NOW)).toBe(true);
    expect(mayReload('/here', NOW)).toBe(false);
  });

  it('a reload of another path is allowed, and leaves no mark in the history entry', () => {
    expect(mayReload('/there', NOW)).toBe(true);
    expect(history.state).toEqual({ idx: 2, key: 'abc' });
  });
});
