/**
 * A site with videos. Its addresses are templates: `{id}` is a video's id, and `{number}` a numeric id.
 * `{hash}` is the key of an unlisted video, and `{start}` a time in seconds.
 */
export interface EmbedProvider {
  readonly name: string;
  /** The addresses of a video's page. Links use the first one. */
  readonly pages: readonly string[];
  /** The address for an iframe with the player, which plays at once. */
  readonly player: string;
}

/** The host youtube-nocookie.com sets no cookies before a video plays. */
export const KNOWN_PROVIDERS: Readonly<Record<string, EmbedProvider>> = {
  youtube: {
    name: 'YouTube',
    pages: [
      'https://www.youtube.com/watch?v={id}&t={start}',
      'https://youtu.be/{id}',
      'https://www.youtube.com/embed/{id}',
      'https://www.youtube.com/shorts/{id}',
      'https://www.youtube.com/live/{id}',
    ],
    player: 'https://www.youtube-nocookie.com/embed/{id}?autoplay=1&start={start}',
  },
  vimeo: {
    name: 'Vimeo',
    pages: ['https://vimeo.com/{number}/{hash}', 'https://player.vimeo.com/video/{number}?h={hash}'],
    player: 'https://player.vimeo.com/video/{number}?h={hash}&dnt=1&autoplay=1',
  },
  dailymotion: {
    name: 'Dailymotion',
    pages: [
      'https://www.dailymotion.com/video/{id}',
      'https://dai.ly/{id}',
      'https://www.dailymotion.com/embed/video/{id}',
    ],
    player: 'https://geo.dailymotion.com/player.html?video={id}',
  },
};
export const DEFAULT_PROVIDERS: readonly string[] = ['youtube', 'vimeo'];

export function providersIn(value: string): readonly EmbedProvider[] | null {
  const parts = value === 'off' ? [] : value.split(',').filter(part => part.trim() !== '');
  const providers = parts.map(part => providerOf(part.trim())).filter(provider => provider !== null);
  return providers.length === parts.length ? providers : null;
}

function providerOf(text: string): EmbedProvider | null {
  const [name = '', ...templates] = text.split(/\s+/);
  if (templates.length === 0) return KNOWN_PROVIDERS[name.toLowerCase()] ?? null;
  const player = templates.at(-1) ?? '';
  const isWhole = templates.length > 1 && templates.every(isTemplate);
  return isWhole ? { name, pages: templates.slice(0, -1), player } : null;
}

const BLANKS = /\{(?:id|number)\}/;
function isTemplate(text: string): boolean {
  const url = URL.parse(text);
  return url?.protocol === 'https:' && url.username === '' && BLANKS.test(text) && !BLANKS.test(url.host);
}
