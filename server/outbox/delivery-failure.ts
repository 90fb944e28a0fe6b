import { BackendError } from '../errors.ts';

/**
 * `refused`: the CMS will never accept this message. `set-up`: the CMS accepts no message until somebody
 * changes a setting, so messages wait. `passing`: the next attempt may succeed.
 */
export type DeliveryFailure = 'refused' | 'set-up' | 'passing';

const REFUSED: readonly (number | null)[] = [400, 413, 415, 422];
/** The remedy for each status that means a fault of the set-up. */
const REMEDIES: ReadonlyMap<number | null, string> = new Map([
  [401, 'set CONTENT_TOKEN to a valid API token (Strapi: Settings → API Tokens), and restart the site'],
  [
    403,
    "allow 'send' of Email for the API token in CONTENT_TOKEN (Strapi: Settings → API Tokens); without a token for the role Public (Settings → Users & Permissions plugin → Roles)",
  ],
  [404, 'add the route POST /api/email/send to the CMS: plain Strapi has none, the project in cms/ has it'],
  [405, 'add the route POST /api/email/send to the CMS: plain Strapi has none, the project in cms/ has it'],
  [421, 'set CONTENT_BASE_URL to the name under which the server of the CMS answers'],
]);

export function deliveryFailure(error: unknown): DeliveryFailure {
  const status = statusOf(error);
  if (REFUSED.includes(status)) return 'refused';
  return REMEDIES.has(status) ? 'set-up' : 'passing';
}

export function remedyFor(status: number | null): string {
  return (
    REMEDIES.get(status) ?? 'look for POST /api/email/send in the log of the CMS and of its mail provider'
  );
}

export function statusOf(error: unknown): number | null {
  return error instanceof BackendError ? error.status : null;
}
