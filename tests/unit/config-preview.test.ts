import { describe, expect, it } from 'vitest';
import { ConfigError, readConfig } from '../../server/config/config.ts';

const SECRET = 's'.repeat(32);
const TOKEN = 'a-token';
const ORIGIN = 'https://cms.example.com';

describe('the preview', () => {
  it('the preview requires a secret and a token, and allows the panel to frame it', () => {
    expect(readConfig({}).preview).toBeNull();
    const both = { PREVIEW_SECRET: SECRET, PREVIEW_TOKEN: TOKEN };
    expect(readConfig(both).preview).toEqual({ secret: [SECRET], token: TOKEN, frameOrigins: [] });
    const { preview } = readConfig({ ...both, PREVIEW_FRAME_ORIGINS: `${ORIGIN}/, http://localhost:1337` });
    // An editor may open the panel of a local CMS by either of its host names.
    expect(preview?.frameOrigins).toEqual([ORIGIN, 'http://localhost:1337', 'http://127.0.0.1:1337']);
    expect([Object.isFrozen(preview), Object.isFrozen(preview?.frameOrigins)]).toEqual([true, true]);
  });

  it.each([
    [
      { PREVIEW_SECRET: 's'.repeat(31), PREVIEW_TOKEN: TOKEN },
      'PREVIEW_SECRET: wants at least 32 characters',
    ],
    [
      { PREVIEW_SECRET: 'é'.repeat(32), PREVIEW_TOKEN: TOKEN },
      'PREVIEW_SECRET: wants at least 32 characters',
    ],
    [{ PREVIEW_SECRET: SECRET }, 'PREVIEW_TOKEN: wants the token that may read drafts'],
    [{ PREVIEW_TOKEN: TOKEN }, 'PREVIEW_SECRET: wants at least 32 characters'],
    [{ PREVIEW_FRAME_ORIGINS: ORIGIN }, 'PREVIEW_SECRET: wants at least 32 characters'],
    [{ PREVIEW_FRAME_ORIGINS: `${ORIGIN}/admin` }, 'PREVIEW_FRAME_ORIGINS: wants origins such as'],
  ])('an invalid preview setting is refused: %j', (env, problem) => {
    expect(() => readConfig(env)).toThrow(ConfigError);
    expect(() => readConfig(env)).toThrow(problem);
  });
});
