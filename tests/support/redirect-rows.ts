import { expect } from 'vitest';
import { buildRedirectTable, type RedirectRow } from '../../server/addresses/redirect-table.ts';
import { resolveRedirect, splitAddress } from '../../shared/routing/redirects.ts';

export type Row = [from: unknown, to: unknown, statusCode?: unknown];

export const ORIGIN = 'https://www.example.com';

export function build(
  rows: readonly Row[],
  origin: string | null = ORIGIN,
  hosts: readonly string[] | null = null,
) {
  return buildRedirectTable(
    rows.map(([from, to, statusCode], index): RedirectRow => ({ id: `row ${index}`, from, to, statusCode })),
    origin,
    hosts,
  );
}

/** Resolves an address by a redirect table, and expects no problem in the rows of the table. */
export function resolve(rows: readonly Row[], address: string) {
  const { table, problems } = build(rows);
  expect(problems).toEqual([]);
  const { path, search, hash } = splitAddress(address);
  return resolveRedirect(table, path, search, hash);
}

export const targetOf = (rows: readonly Row[], address: string) => resolve(rows, address)?.to ?? null;

/** @returns the reason for each row that was left out, by row. */
export const leftOut = (rows: readonly Row[], origin: string | null = ORIGIN) =>
  Object.fromEntries(build(rows, origin).problems.map(({ id, reason }) => [id, reason]));

export const BACK = 'it leads back to itself';
export const BAD_TARGET = "'to' wants a path of the site or an http(s) address";
