import { expect, it } from 'vitest';
import { contentTypeOf } from '../../server/http/content-type.ts';

it.each([
  ['app-3F.js', 'text/javascript; charset=utf-8'],
  ['app.css', 'text/css; charset=utf-8'],
  ['besley.woff2', 'font/woff2'],
  ['favicon.ico', 'image/x-icon'],
  ['mark.svg', 'image/svg+xml'],
  ['robots.txt', 'text/plain; charset=utf-8'],
  ['data.json', 'application/json; charset=utf-8'],
  ['without-extension', 'application/octet-stream'],
  ['js', 'application/octet-stream'],
  ['a.unknown', 'application/octet-stream'],
])('%s has the type %s', (name, type) => {
  expect(contentTypeOf(name)).toBe(type);
});
