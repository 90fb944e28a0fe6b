import * as z from 'zod';
import { DEFAULT_PROVIDERS, type EmbedProvider, isTemplate, KNOWN_PROVIDERS } from './embed-providers.ts';

const WANTS =
  `wants off, or names (${Object.keys(KNOWN_PROVIDERS).join(', ')}) and providers of your own, separated by commas, such as ` +
  'PeerTube https://tube.example.com/w/{id} https://tube.example.com/videos/embed/{id}';

/** EMBED_PROVIDERS: names of known providers, and others by their name, the addresses of their pages, and that of their player. */
export const embedProviders = z
  .string()
  .default(DEFAULT_PROVIDERS.join(','))
  .transform((value, context): readonly EmbedProvider[] => {
    if (value === 'off') return [];
    const providers = value
      .split(',')
      .map(one => one.trim())
      .filter(Boolean)
      .map(providerOf);
    if (providers.every(provider => provider !== null)) return providers;
    context.addIssue({ code: 'custom', message: WANTS });
    return z.NEVER;
  });

function providerOf(text: string): EmbedProvider | null {
  const [name = '', ...templates] = text.split(/\s+/);
  if (templates.length === 0) return KNOWN_PROVIDERS[name.toLowerCase()] ?? null;
  const player = templates.at(-1) ?? '';
  const isWhole = templates.length > 1 && templates.every(isTemplate);
  return isWhole ? { name, pages: templates.slice(0, -1), player } : null;
}
