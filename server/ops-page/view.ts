import type { LastRequest } from '../http/security/forwarded-headers.ts';
import type { ProcessLogger } from '../ops/log.ts';
import type { OpsParts } from '../ops-app.ts';
import type { MessagePlaces } from '../outbox/found-messages.ts';
import type { Vitals } from '../vitals/vitals.ts';
import type { Figures } from './figures.ts';
import type { Html } from './html.ts';

export interface OpsPageParts extends Omit<OpsParts, 'opsPage' | 'pages' | 'contentWarming'> {
  readonly log: ProcessLogger;
  readonly lastRequest: Pick<LastRequest, 'report'>;
  readonly messages: MessagePlaces;
  readonly vitals: Pick<Vitals, 'views'> | null;
}

export interface View {
  readonly parts: OpsPageParts;
  readonly figures: Figures;
  readonly runbook: ReadonlyMap<string, string>;
  /** Whether the operator has shown OPS_TOKEN. Without it the page has no address, id or button. */
  readonly isSignedIn: boolean;
}

/** A part of the page. If `show` fails, its error is shown in its place, and the other sections stay. */
export interface Section {
  readonly id: string;
  readonly title: string;
  readonly isWide?: boolean;
  /** Whether browsers leave the section as it is, because somebody may be typing in it. */
  readonly isStatic?: boolean;
  show(view: View): Html | null | Promise<Html | null>;
}
