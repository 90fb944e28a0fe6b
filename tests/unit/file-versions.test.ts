import { describe, expect, it } from 'vitest';
import { InvalidationLog } from '../../server/cache/tags/invalidation-log.ts';
import { mediaTag } from '../../server/content/tags/media-tags.ts';
import { createFileVersions, splitVersion } from '../../server/media/file-versions.ts';

const FILE = '/uploads/a.png';
const EARLIER = '2026-11-23T07:00:00.000Z';
const LATER = '2026-11-23T08:00:00.000Z';
const at = (time: string) => Date.parse(time).toString(36);

function start(now = Date.parse(EARLIER)) {
  const log = new InvalidationLog();
  const announced: string[] = [];
  const announce = (tag: string) => {
    announced.push(tag);
    log.note([tag], false);
  };
  const versions = createFileVersions({ log, announce, now: () => now });
  return { versions, announced, announce };
}

describe('the address of a file', () => {
  it.each([
    ['a file', FILE, `${FILE}?v=${at(EARLIER)}`],
    ['a file with an earlier version', `${FILE}?v=abc`, `${FILE}?v=${at(EARLIER)}`],
    ['a picture in an SVG', `${FILE}#icon`, `${FILE}?v=${at(EARLIER)}#icon`],
    ['a file with another query', `${FILE}?download`, `${FILE}?download`],
    ['a file without a change', '/uploads/b.png', '/uploads/b.png'],
    ['a file of another site', `https://cdn.example${FILE}`, `https://cdn.example${FILE}`],
    ['a page', '/about', '/about'],
  ])('the address of a file gets the current version: %s', (_name, address, expected) => {
    const { versions, announce } = start();
    announce(versions.tagOfChange(FILE, EARLIER));
    expect(versions.withVersion(address)).toBe(expected);
  });

  it('the version of a file is the one in the content, unless an event has announced a newer one', () => {
    const { versions, announced } = start();
    expect(versions.withVersion(FILE, EARLIER)).toBe(`${FILE}?v=${at(EARLIER)}`);
    expect(versions.withVersion(FILE, LATER)).toBe(`${FILE}?v=${at(LATER)}`);
    expect(versions.withVersion(FILE, EARLIER)).toBe(`${FILE}?v=${at(LATER)}`);
    expect(versions.withVersion(FILE, 'no date')).toBe(`${FILE}?v=${at(LATER)}`);
    // Each change is announced once.
    expect(announced).toEqual([EARLIER, LATER].map(time => `${mediaTag(FILE)}#${at(time)}`));
  });
});

describe('the version after an event', () => {
  const next = (time: string) => (Date.parse(time) + 1).toString(36);

  it.each([
    ['is the time that the event gives', null, LATER, at(LATER)],
    ['is that of the content, which reported the same change', LATER, LATER, at(LATER)],
    ['is a new one, although the clock of the CMS was set back', LATER, EARLIER, next(LATER)],
    ['is the current time for an event without a time', null, null, at(EARLIER)],
    ['is a new one for an event without a time, although the clock is behind', LATER, null, next(LATER)],
  ])('after an event, the version of a file %s', (_name, known, told, expected) => {
    const { versions, announce } = start();
    if (known) versions.withVersion(FILE, known);
    announce(versions.tagOfChange(FILE, told));
    expect(versions.isCurrent(FILE, expected)).toBe(true);
  });
});

it('splitVersion separates an address into the file and its version', () => {
  expect(splitVersion(`${FILE}?v=abc#icon`)).toEqual({ address: `${FILE}#icon`, version: 'abc' });
  for (const address of [FILE, `${FILE}?w=1`, `${FILE}?v=A`, `${FILE}?v=abc&w=1`, 'https://a.example/?v=1'])
    expect(splitVersion(address)).toEqual({ address, version: null });
});
