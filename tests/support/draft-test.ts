import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { STILL } from './browser.ts';
import { stageTest } from './browser-test.ts';
import { MESSAGE, SEND } from './contact-form-test.ts';
import { eventually } from './eventually.ts';
import { press } from './page-facts.ts';
import type { Visitor, VisitorOptions } from './visitor.ts';

const EMPTY = Object.fromEntries(Object.keys(MESSAGE).map(name => [name, '']));

/** Reduced motion, which does not affect drafts. */
const CONTEXT = { viewport: { width: 1280, height: 800 }, ...STILL } as const;

/** Forms of a page, and the browser's storage. */
export class Forms {
  readonly #page: Page;

  constructor(page: Page) {
    this.#page = page;
  }

  readonly field = (name: string) => this.#page.locator(`#contact-${name}`);
  readonly trap = () => this.#page.locator('#contacts input[name=website]');
  readonly subscribeEmail = () => this.#page.locator('#subscribe-email');
  readonly notice = () => this.#page.locator('#contacts [role=status]');
  readonly sending = () => this.#page.getByRole('button', { name: 'Sending…' });

  async fill(values: Partial<typeof MESSAGE> = MESSAGE): Promise<void> {
    for (const [name, value] of Object.entries(values)) await this.field(name).fill(value);
  }

  /** Expects these values in the contact form. Without an argument all its fields are empty. */
  async expectTyped(values: Partial<typeof MESSAGE> = EMPTY): Promise<void> {
    await this.field('message').waitFor();
    const typed = Object.keys(values).map(async name => [name, await this.field(name).inputValue()] as const);
    expect(Object.fromEntries(await Promise.all(typed))).toEqual(values);
  }

  /** @returns everything that the browser stores for the site, as one text. */
  stored(): Promise<string> {
    return this.#page.evaluate(() =>
      JSON.stringify([{ ...sessionStorage }, { ...localStorage }, document.cookie]),
    );
  }

  /** Sends the contact form. The message stays in flight until the test calls the returned function. */
  async sendAndHold(): Promise<(status: 202 | 503) => Promise<void>> {
    const { promise, resolve } = Promise.withResolvers<202 | 503>();
    await this.#page.route(
      `**${SEND}`,
      async route => {
        const status = await promise;
        await route.fulfill({ status, json: status === 202 ? {} : { message: 'Not now.' } });
      },
      { times: 1 },
    );
    const asked = this.#page.waitForRequest(`**${SEND}`);
    await this.#page.locator('#contacts form button[type=submit]').click();
    const request = await asked;
    return async status => {
      resolve(status);
      await (await request.response())?.finished();
      // Answers arrive in order, so the page has handled the earlier answer.
      await this.#page.evaluate(() => fetch('/robots.txt').then(response => response.text()));
    };
  }
}

/** Gives each test a stage with unlimited messages, and a function that opens a page with forms. */
export const draftTest = stageTest
  .extend('stageOptions', { scope: 'file' }, { env: { FORM_RATE_LIMIT: '10000' } })
  .extend(
    'visitorOptions',
    { scope: 'file' },
    { ignore: /net::ERR_|Failed to load resource/, context: CONTEXT },
  )
  .extend(
    'openForms',
    async ({ open }) =>
      async (path = '/contacts', options: VisitorOptions = {}): Promise<Visitor & { forms: Forms }> => {
        const visitor = await open(path, options);
        return {
          ...visitor,
          forms: new Forms(visitor.page),
          // Typing has scrolled the page down, which hides the header with its links.
          async go(href, arrives = href) {
            await press(visitor, href);
            await visitor.arrived(arrives);
          },
        };
      },
  );

/** Loads a page in full, as for an address typed by the visitor. */
export async function loadInFull({ page, arrived }: Visitor, siteUrl: string, path: string): Promise<void> {
  await page.goto(siteUrl + path);
  await eventually(() => arrived(path));
}
