import * as z from 'zod';
import { DEFAULT_PROVIDERS, type EmbedProvider, KNOWN_PROVIDERS, providersIn } from './embed-providers.ts';

const WANTS =
  `wants off, or names (${Object.keys(KNOWN_PROVIDERS).join(', ')}) and providers of your own, separated by commas, such as ` +
  'PeerTube https://tube.example.com/w/{id} https://tube.example.com/videos/embed/{id}';

/** EMBED_PROVIDERS: names of known providers, and others by their name, the addresses of their pages, and that of their player. */
export const embedProviders = z
  .string()
  .default(DEFAULT_PROVIDERS.join(','))
  .transform((value, context): readonly EmbedProvider[] => {
    const providers = providersIn(value);
    if (providers !== null) return providers;
    context.addIssue({ code: 'custom', message: WANTS });
    return z.NEVER;
  });
