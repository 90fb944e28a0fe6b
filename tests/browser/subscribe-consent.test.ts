import { describe, expect } from 'vitest';
import { MIN_FILL_MS } from '../../shared/forms/form-limits.ts';
import { TWO_VIEWS, violationsIn } from '../support/axe.ts';
import { hydrated, openPage, STILL } from '../support/browser.ts';
import { browserTest } from '../support/browser-test.ts';
import { eventually } from '../support/eventually.ts';
import { capture, startFakeBackend } from '../support/fake-backend.ts';
import { freePort } from '../support/free-port.ts';
import { startSite } from '../support/start-site.ts';

const EMAIL = 'ada@example.com';
const CONSENT = 'I agree to get news by e-mail, as the privacy page says.';

/** Expected complaints: refused forms, blocked or cancelled scripts, and styles that axe tries. */
const EXPECTED =
  /status of (?:404|422)|failed: \S+\.js (?:csp|net::ERR_ABORTED)$|Applying inline style|preload assets/;

const it = browserTest
  .extend('backend', { scope: 'file' }, async ({}, { onCleanup }) => {
    const backend = await startFakeBackend();
    onCleanup(() => backend.close());
    const settings = structuredClone(capture('v5-as-v4', 'settings.json')) as {
      data: { attributes: Record<string, unknown> };
    };
    settings.data.attributes.subscribeConsent =
      'I agree to get news by e-mail, as the [privacy page](/privacy) says.';
    // Remove the recorded stylesheets and scripts, which do not exist on disk.
    Object.assign(settings.data.attributes, { customCss: [], scripts: [] });
    backend.on('/api/settings', settings);
    return backend;
  })
  .extend('site', { scope: 'file' }, async ({ backend }, { onCleanup }) => {
    const port = await freePort();
    const site = await startSite({
      contentBaseUrl: backend.url,
      port,
      env: {
        PUBLIC_URL: `http://127.0.0.1:${port}`,
        SUBSCRIBE_SECRET: 'a-secret-of-the-newsletter-long-enough',
      },
    });
    onCleanup(() => site.close());
    return site;
  })
  .extend('open', async ({ browser }, { onCleanup }) => async (javaScriptEnabled: boolean) => {
    const options = { ...STILL, javaScriptEnabled, viewport: { width: 360, height: 800 } };
    const watched = await openPage(browser, options, EXPECTED);
    onCleanup(async () => {
      await watched.close();
      expect(watched.complaints).toEqual([]);
    });
    return watched.page;
  })
  .extend('sent', async ({ backend }) => () => {
    return backend.callsTo('/api/email/send').map(({ body }): Record<string, string> => JSON.parse(body));
  });

describe('the subscribe form with a sentence of consent', () => {
  it('the subscribe form requires its checkbox, and sends the consent sentence', async ({
    open,
    site,
    sent,
  }) => {
    const page = await open(true);
    await page.clock.install();
    await page.goto(site.url);
    await hydrated(page);
    await page.clock.fastForward(MIN_FILL_MS);
    await page.locator('#subscribe-email').fill(EMAIL);
    // The sentence precedes the button, visually and by keyboard.
    await page.keyboard.press('Tab');
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('subscribe-consent');
    for (const width of [360, 1_280]) {
      await page.setViewportSize({ width, height: 800 });
      const [box, button] = await Promise.all(
        ['#subscribe-consent', '#subscribe form button'].map(place => page.locator(place).boundingBox()),
      );
      expect(button?.y).toBeGreaterThan((box?.y ?? 0) + (box?.height ?? 0));
    }
    await page.locator('#subscribe form button').click();
    const error = page.locator('#subscribe-consent-error');
    await error.waitFor();
    expect(await error.innerText()).toBe('Please agree to this sentence.');
    expect(await page.locator('#subscribe-consent').getAttribute('aria-invalid')).toBe('true');
    expect(sent()).toEqual([]);
    await page.getByLabel(CONSENT).check();
    await page.locator('#subscribe form button').click();
    await page.locator('#subscribe [role=status]').getByText('Please open the link').waitFor();
    await eventually(() =>
      expect(sent()).toMatchObject([{ form: 'subscribe', email: EMAIL, consent: CONSENT }]),
    );
  });

  it('the subscribe form with consent works without JavaScript, and each e-mailed link leads to a button', async ({
    backend,
    open,
    site,
    sent,
  }) => {
    backend.calls.length = 0;
    const page = await open(false);
    await page.goto(site.url);
    await page.locator('#subscribe-email').fill(`b-${EMAIL}`);
    await page.locator('#subscribe form button').click();
    expect(await page.locator('#subscribe-consent-error').innerText()).toBe('Please agree to this sentence.');
    await page.getByLabel(CONSENT).check();
    await page.locator('#subscribe form button').click();
    await page.locator('#subscribe [role=status]').getByText('Please open the link').waitFor();
    await eventually(() => expect(sent()).toHaveLength(1));
    await page.goto(sent()[0]?.confirmUrl ?? '');
    expect(await page.locator('h1').innerText()).toBe('Confirm your subscription');
    await page.locator('main form button').click();
    await page.getByRole('heading', { name: 'You are on the list' }).waitFor();
    expect(page.url()).toBe(`${site.url}/subscribe/confirm?done`);
    await page.goto(sent()[0]?.leaveUrl ?? '');
    await page.locator('main form button').click();
    await page.getByRole('heading', { name: 'You have left the list' }).waitFor();
    await eventually(() =>
      expect(sent().map(({ form }) => form)).toEqual(['subscribe', 'subscribe-confirm', 'subscribe-leave']),
    );
  });

  it('the form with consent and the page of the e-mailed link are accessible', async ({ open, site }) => {
    const page = await open(true);
    for (const path of ['/', '/subscribe/confirm']) {
      await page.goto(site.url + path);
      expect(await violationsIn(TWO_VIEWS, page)).toEqual([]);
    }
  });
});
