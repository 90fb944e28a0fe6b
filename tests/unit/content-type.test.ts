import { expect, it } from 'vitest';
import { contentTypeOf, contentTypeOfFile } from '../../server/http/content-type.ts';

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
  ['site.webmanifest', 'application/manifest+json; charset=utf-8'],
  ['old.woff', 'font/woff'],
  ['old.ttf', 'font/ttf'],
  ['brochure.pdf', 'application/pdf'],
  ['photo.avif', 'image/avif'],
])('%s has the Content-Type %s', (name, type) => {
  expect(contentTypeOf(name)).toBe(type);
});

it.each([
  ['apple-app-site-association', '{"applinks":{}}', 'application/json; charset=utf-8'],
  ['acme-token', 'Zm9v.YmFy', 'text/plain; charset=utf-8'],
  ['number', '12', 'text/plain; charset=utf-8'],
  ['notes.unknown', 'Grüße', 'text/plain; charset=utf-8'],
  ['firmware', '\u0000\u0001', 'application/octet-stream'],
  ['firmware.unknown', Buffer.from([0xff, 0xfe, 0x80]), 'application/octet-stream'],
  ['data.json', 'not JSON', 'application/json; charset=utf-8'],
])('%s with the content %j has the Content-Type %s', (name, content, type) => {
  expect(contentTypeOfFile(name, Buffer.from(content as string))).toBe(type);
});
