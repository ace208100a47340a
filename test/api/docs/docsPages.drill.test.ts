import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { violationsOf } from '../../console/violations.ts';
import { describeInBrowser } from '../../support/browser.ts';
import { setGuardStage, type GuardStage } from '../../support/guardStage.ts';

const WIDE = { width: 1280, height: 900 };
const NARROW = { width: 390, height: 844 };

describeInBrowser('the docs pages in a browser', (browser) => {
  let stage: GuardStage;
  let paths: string[];
  beforeAll(async () => {
    stage = await setGuardStage();
    const index = await (await fetch(`${stage.url}/docs`)).text();
    paths = ['/docs', ...new Set([...index.matchAll(/href="(\/docs\/[^"#]+)"/g)].map(([, path]) => path!))];
  });
  afterAll(() => stage?.close());

  test.each([
    ['light', WIDE],
    ['dark', NARROW],
  ] as const)(
    'in %s, %j: no violation of WCAG 2.2 AA, nothing wider than the screen, no error',
    async (colorScheme, viewport) => {
      const page = await browser.newPage({ colorScheme, viewport, reducedMotion: 'reduce' });
      const found: Record<string, unknown> = {};
      for (const path of paths) {
        await page.goto(stage.url + path);
        await page.locator('#query').waitFor();
        const overflow = await page.evaluate('document.documentElement.scrollWidth - innerWidth');
        const violations = await violationsOf(page);
        if (violations.length > 0 || Number(overflow) > 0) found[path] = { violations, overflow };
      }
      expect(paths.length).toBeGreaterThan(45);
      expect(found).toEqual({});
      expect(browser.complaints).toEqual([]);
    },
  );

  test('with everything unfolded, nothing is wider than any screen', async () => {
    const page = await browser.newPage({ viewport: WIDE, reducedMotion: 'reduce' });
    const found: Record<string, unknown> = {};
    for (const path of paths) {
      await page.goto(stage.url + path);
      await page.locator('#query').waitFor();
      await page.evaluate("document.querySelectorAll('details').forEach((one) => (one.open = true))");
      for (const width of [1024, 800, 320]) {
        await page.setViewportSize({ width, height: 900 });
        const overflow = await page.evaluate('document.documentElement.scrollWidth - innerWidth');
        if (Number(overflow) > 0) found[`${path} ${width}`] = overflow;
      }
    }
    expect(found).toEqual({});
  });

  test('on paper, the page stands alone, with whole lines of code', async () => {
    const page = await browser.newPage({ viewport: { width: 794, height: 1123 } });
    await page.goto(`${stage.url}/docs/guides/quick-start`);
    await page.locator('.copy').first().waitFor();
    await page.emulateMedia({ media: 'print' });
    expect(await page.getByRole('navigation').isVisible()).toBe(false);
    expect(await page.locator('.copy').first().isVisible()).toBe(false);
    const cut = "[...document.querySelectorAll('main pre')].filter((one) => one.scrollWidth > one.clientWidth).length";
    expect(await page.evaluate<number>(cut)).toBe(0);
  });

  test('the search finds guides, operations, schemas and errors on other pages', async () => {
    const page = await browser.newPage({ viewport: WIDE });
    await page.goto(`${stage.url}/docs/guides/limits`);
    const results = page.locator('#results a');
    for (const [query, address] of [
      ['verify webhook', '/docs/guides/webhooks#verify-and-answer'],
      ['cancel a run', '/docs/reference/runs#post_v1_runs_run_id_cancel'],
      ['/v1/audio/speech', '/docs/reference/audio#post_textapi_v1_audio_speech'],
      ['RunStepPage', '/docs/reference/runs#schema-RunStepPage'],
      ['402', '/docs/guides/errors#error-402'],
      // Invoices are not about it.
      ['voice', '/docs/reference/voice#post_voiceapi_v1_text_to_speech_voice_id'],
    ]) {
      await page.keyboard.press('/');
      await page.locator('#query').fill(query!);
      await page.locator('#found:not(:empty)').waitFor();
      const found = await results.evaluateAll((links) =>
        links.map((link) => (link as unknown as { href: string }).href),
      );
      expect({ query, found: found.slice(0, 4).map((href) => href.slice(stage.url.length)) }).toMatchObject({
        found: expect.arrayContaining([address]),
      });
      await page.keyboard.press('Escape');
    }
    await page.locator('#query').fill('verify webhook');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/docs/guides/webhooks#*');
    expect(browser.complaints).toEqual([]);
  });

  test.each([
    ['webhooks', '/docs/guides/webhooks'],
    ['data-policy', '/docs/guides/data-policy'],
    ['reviews-and-earnings', '/docs/guides/publishing'],
    ['error-402', '/docs/guides/errors#error-402'],
    ['schema-Run', '/docs/reference/runs#schema-Run'],
    ['post_v1_runs', '/docs/reference/runs#post_v1_runs'],
  ])('the former anchor #%s leads to %s', async (anchor, address) => {
    const page = await browser.newPage();
    await page.goto(`${stage.url}/docs#${anchor}`);
    await page.waitForURL(stage.url + address);
  });

  test('the contents are folded above the page on a narrow screen, and beside it on a wide one', async () => {
    const page = await browser.newPage({ viewport: NARROW });
    await page.goto(`${stage.url}/docs/guides/runs`);
    const link = page.getByRole('link', { name: 'Webhooks', exact: true }).first();
    expect(await link.isVisible()).toBe(false);
    await page.locator('summary').filter({ hasText: 'Contents' }).click();
    await link.click();
    await page.waitForURL('**/docs/guides/webhooks');
    await page.setViewportSize(WIDE);
    expect(await page.getByRole('link', { name: 'Quick start' }).isVisible()).toBe(true);
  });
});
