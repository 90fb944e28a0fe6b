import type { BackendClient } from '../backend/backend-client.ts';
import { countsAsEmpty, remedyFor, remedyForAll } from '../content/answer-meaning.ts';
import { callOf } from '../content/content-calls.ts';
import { labelOf } from '../content/described-types.ts';
import type { BackendError } from '../errors.ts';
import type { Ask } from './ask.ts';
import type { ExaminedType } from './examine-type.ts';
import { EVERY_PAGE, type Finding, named, pagesOf, quotedList } from './finding.ts';

export interface TypesOptions {
  readonly ask: Ask;
  readonly hasToken: boolean;
  /** A client with the token that may read drafts; null without one. */
  readonly previewer: BackendClient | null;
}

/** Looks for types that the site cannot read. Types that fail in the same way for the same reason have one finding. */
export async function checkTypes(
  types: readonly ExaminedType[],
  { ask, hasToken, previewer }: TypesOptions,
): Promise<Finding[]> {
  const failed = types.flatMap(({ name, type, error }) => (error ? [{ name, type, error }] : []));
  const [first] = failed;
  if (!first) return [];
  if (failed.length === types.length && failed.every(({ error }) => error.status === first.error.status))
    return [failureOfAll(first.error, hasToken)];
  const findings: Finding[] = [];
  for (const { name, type, error } of failed) {
    const common = { about: type.path, pages: pagesOf(type), isLogged: true } as const;
    const remedy = remedyFor(type, error, hasToken);
    if (error.status === 404 && type.storage === 'single') {
      findings.push({
        ...common,
        severity: 'error',
        ...(await absentSingle(name, type, ask, previewer, remedy)),
      });
      continue;
    }
    // A collection that does not exist has no pages that could be broken, unless every page needs it.
    const severity = error.status === 404 && countsAsEmpty(type, error) ? 'warning' : 'error';
    const mayStay = severity === 'warning' && type.optional ? ({ mayStay: true } as const) : {};
    findings.push({ ...common, ...mayStay, severity, what: failure(named(name, type), error), remedy });
  }
  return findings;
}

function failure(type: string, error: BackendError): string {
  if (error.status === 403) return `the site may not read ${type}: the CMS answers 403`;
  if (error.status === 404) return `the CMS has no type ${type}: it answers 404`;
  return `${type} cannot be read: ${error.reason}`;
}

/** @returns the finding for a backend that fails in one way for every type. */
function failureOfAll(error: BackendError, hasToken: boolean): Finding {
  const common = {
    ...({ severity: 'error', pages: EVERY_PAGE, isLogged: true } as const),
    remedy: remedyForAll(error, hasToken),
  };
  switch (error.status) {
    case 401:
      return {
        ...common,
        about: 'token',
        what: hasToken
          ? 'the CMS does not accept CONTENT_TOKEN (401): it is wrong, was deleted, has expired, or was made by another CMS'
          : 'the CMS asks for credentials (401), and CONTENT_TOKEN is not set',
      };
    case 403:
      return {
        ...common,
        about: 'token',
        what: hasToken
          ? 'CONTENT_TOKEN may read no type (403)'
          : 'the CMS lets nobody read without a token (403), and CONTENT_TOKEN is not set',
      };
    default:
      return { ...common, about: 'address', what: `the CMS fails at every call: ${error.reason}` };
  }
}

/** @returns the reason why a single type has no content: another API ID, a draft that was never published, or none of both. */
async function absentSingle(
  name: string,
  type: ExaminedType['type'],
  ask: Ask,
  previewer: BackendClient | null,
  remedy: string,
): Promise<Pick<Finding, 'what' | 'remedy'>> {
  for (const alias of type.aliases ?? []) {
    if ((await ask.json(`/api/${alias}`)).error?.status === 404) continue;
    return {
      what: `the CMS has /api/${alias}, and the site asks for ${named(name, type)} (404)`,
      remedy: `Strapi: create the single type again with the API ID ${quotedList([type.path])} (singular), by the tab Advanced or in its schema.json`,
    };
  }
  const draft = await ask.json(callOf(type, 'status=draft'), previewer ?? undefined);
  if (draft.error)
    return { what: `${named(name, type)} was never saved, or is no single type of the CMS (404)`, remedy };
  return {
    what: `${named(name, type)} is saved and not published (404)`,
    remedy: `Strapi: Content Manager → Single Types → ${labelOf(name)} → Publish`,
  };
}
