import { describe, expect, it } from 'vitest';
import { readConfig } from '../../server/config/config.ts';
import { embedAt } from '../../server/rich-text/tree/embeds.ts';

const { embedProviders: USUAL } = readConfig({});
const youtube = (id: string, more = '') => `https://www.youtube-nocookie.com/embed/${id}?autoplay=1${more}`;
const vimeo = (id: string, more = '') => `https://player.vimeo.com/video/${id}?${more}dnt=1&autoplay=1`;

describe('the video at an address', () => {
  it.each([
    [
      'https://www.youtube.com/watch?v=aqz-KE-bpKQ',
      youtube('aqz-KE-bpKQ'),
      'https://www.youtube.com/watch?v=aqz-KE-bpKQ',
    ],
    ['http://youtube.com/watch?feature=x&v=abc_1', youtube('abc_1'), 'https://www.youtube.com/watch?v=abc_1'],
    ['https://m.youtube.com/watch?v=abc&list=PL1', youtube('abc'), 'https://www.youtube.com/watch?v=abc'],
    ['//youtu.be/abc', youtube('abc'), 'https://www.youtube.com/watch?v=abc'],
    ['https://youtu.be/abc?t=1m30s', youtube('abc', '&start=90'), 'https://www.youtube.com/watch?v=abc&t=90'],
    [
      'https://www.youtube.com/embed/abc?start=5',
      youtube('abc', '&start=5'),
      'https://www.youtube.com/watch?v=abc&t=5',
    ],
    ['https://www.youtube-nocookie.com/embed/abc', youtube('abc'), 'https://www.youtube.com/watch?v=abc'],
    ['https://www.youtube.com/shorts/abc', youtube('abc'), 'https://www.youtube.com/watch?v=abc'],
    ['https://vimeo.com/1084537', vimeo('1084537'), 'https://vimeo.com/1084537'],
    ['https://vimeo.com/1084537/a1b2', vimeo('1084537', 'h=a1b2&'), 'https://vimeo.com/1084537/a1b2'],
    [
      'https://player.vimeo.com/video/1084537?h=a1b2',
      vimeo('1084537', 'h=a1b2&'),
      'https://vimeo.com/1084537/a1b2',
    ],
  ])('embedAt finds the player for %s', (address, player, page) => {
    expect(embedAt(address, USUAL)).toMatchObject({ player, page });
  });

  it.each([
    'https://www.youtube.com/',
    'https://www.youtube.com/watch',
    'https://www.youtube.com/watch?v=',
    'https://www.youtube.com/watch?v=a/b',
    'https://www.youtube.com/embed/videoseries?list=PL1',
    'https://www.youtube.com/playlist?list=PL1',
    'https://www.youtube.com/@somebody',
    'https://youtube.com.evil.example/watch?v=abc',
    'https://evil.example/?u=https://youtu.be/abc',
    'https://user@youtu.be/abc',
    'https://youtu.be/a%2Fb',
    'https://vimeo.com/features',
    'https://vimeo.com/1/2/3',
    'javascript:https://youtu.be/abc',
    'youtu.be/abc',
    '/watch?v=abc',
    '',
    null,
    {},
  ])('embedAt finds no video at %j', address => {
    expect(embedAt(address, USUAL)).toBeNull();
  });
});

describe('EMBED_PROVIDERS', () => {
  const providers = (value: string) => readConfig({ EMBED_PROVIDERS: value }).embedProviders;

  it('EMBED_PROVIDERS selects known providers and adds others', () => {
    const all = providers(
      'vimeo, Tube https://tube.example/w/{id} https://tube.example/videos/embed/{id}?autoplay=1',
    );
    expect(all.map(({ name }) => name)).toEqual(['Vimeo', 'Tube']);
    expect(embedAt('https://tube.example/w/x-1', all)).toEqual({
      provider: 'Tube',
      page: 'https://tube.example/w/x-1',
      player: 'https://tube.example/videos/embed/x-1?autoplay=1',
    });
    expect(embedAt('https://youtu.be/abc', all)).toBeNull();
    expect(providers('off')).toEqual([]);
    expect(providers('').map(({ name }) => name)).toEqual(['YouTube', 'Vimeo']);
  });

  it.each([
    'nobody',
    'Tube https://tube.example/{id}',
    'Tube http://tube.example/w/{id} http://tube.example/e/{id}',
    'Tube https://tube.example/w https://tube.example/e/{id}',
    'Tube https://{id}.example/w https://tube.example/e/{id}',
  ])('an invalid EMBED_PROVIDERS prevents the start: %j', value => {
    expect(() => providers(value)).toThrow(/EMBED_PROVIDERS: wants off, or names/);
  });
});
