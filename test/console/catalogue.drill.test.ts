import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { createSealingKey } from '../../db/sealing/sealingKeys.ts';
import { describeInBrowser } from '../support/browser.ts';
import { textModel } from '../support/startApi.ts';
import { setConsoleStage, violationsOf, type ConsoleStage } from './consoleStage.ts';

describeInBrowser('the catalogue that operators change', (browser) => {
  let stage: ConsoleStage;
  let olga: Page;
  let oskar: Page;
  beforeAll(async () => {
    stage = await setConsoleStage({ CATALOG_SECRETS_KEY: createSealingKey() });
    const people = [await stage.person({ name: 'Olga' }), await stage.person({ name: 'Oskar' })];
    for (const { email } of people) await stage.makeOperator(email);
    [olga, oskar] = [await stage.visit(browser, people[0]!), await stage.visit(browser, people[1]!)];
  });
  afterAll(() => stage?.close());

  const dialog = (page: Page) => page.getByRole('dialog');
  const row = (page: Page, text: string) => page.locator('main tbody tr').filter({ hasText: text });
  const press = (page: Page, name: string | RegExp) => page.getByRole('button', { name }).first().click();

  test('an upstream is added, probed, and its key never shown again', async () => {
    await olga.goto('/operate?tab=upstreams');
    await press(olga, 'Add upstream');
    await dialog(olga).getByLabel('ID').fill('second');
    await dialog(olga).getByLabel('Address').fill(stage.addresses.upstreamUrl);
    await dialog(olga).getByLabel('Key', { exact: true }).fill('sk-second-9876');
    expect(await violationsOf(olga)).toEqual([]);
    await dialog(olga).getByRole('button', { name: 'Add upstream' }).click();
    await row(olga, 'second').getByText('…9876').waitFor();
    // Only wide screens have room for a column of it.
    await row(olga, 'second')
      .getByText(/^Added by Olga on/)
      .waitFor();
    await press(olga, 'Probe second');
    await row(olga, 'second').getByText('1 model').waitFor();
    expect(await olga.content()).not.toContain('sk-second');
    expect(await violationsOf(olga)).toEqual([]);
  });

  test('a price is previewed and proposed by one operator, and approved by another', async () => {
    await olga.goto(`/operate?tab=models&q=${textModel}`);
    await row(olga, textModel).getByRole('link').first().click();
    await press(olga, 'Propose a price');
    await dialog(olga).getByRole('textbox', { name: 'Input, for 1M tokens', exact: true }).fill('0.9');
    await dialog(olga).getByLabel('Reason').fill('New tariff');
    await dialog(olga).getByText('Would have cost').waitFor();
    expect(await violationsOf(olga)).toEqual([]);
    await dialog(olga).getByRole('button', { name: 'Propose price' }).click();
    await olga.getByRole('link', { name: 'Prices to approve' }).click();
    await row(olga, 'New tariff').getByText('Another operator approves it').waitFor();
    expect(
      await row(olga, 'New tariff')
        .getByRole('button', { name: /^Approve/ })
        .count(),
    ).toBe(0);

    await oskar.goto('/operate?tab=prices');
    expect(await violationsOf(oskar)).toEqual([]);
    await row(oskar, 'New tariff')
      .getByRole('button', { name: /^Approve/ })
      .click();
    await dialog(oskar).getByRole('button', { name: 'Approve price' }).click();
    await row(oskar, 'New tariff').getByText('Approved').waitFor();
    await oskar.goto(`/operate/models/${textModel}`);
    await oskar.getByRole('region', { name: 'Prices' }).getByText('Olga, approved by Oskar').waitFor();
  });

  test('a model is changed and returned to the file, with its cost beside the price', async () => {
    await olga.goto(`/operate/models/${textModel}`);
    await press(olga, /^State cost/);
    await dialog(olga).getByRole('textbox', { name: 'Input, for 1M tokens', exact: true }).fill('0.1');
    await dialog(olga).getByRole('textbox', { name: 'Output, for 1M tokens', exact: true }).fill('1');
    await dialog(olga).getByRole('button', { name: 'State cost' }).click();
    await olga.getByRole('region', { name: 'Upstreams' }).getByText('%').waitFor();
    await press(olga, 'Change model');
    await dialog(olga).getByLabel('Description').fill('Answers what it is asked.');
    await dialog(olga).getByRole('button', { name: 'Save' }).click();
    await olga.getByText('Changed: description').waitFor();
    await press(olga, 'Return to the file');
    await dialog(olga).getByRole('button', { name: 'Return to the file' }).click();
    await olga.getByText('From the file').first().waitFor();
    expect(await violationsOf(olga)).toEqual([]);
  });

  test('its pages fit on a phone', async () => {
    await olga.setViewportSize({ width: 360, height: 780 });
    const pages = ['/operate?tab=models', '/operate?tab=prices', '/operate?tab=upstreams'];
    for (const path of [...pages, `/operate/models/${textModel}`, `/models/${textModel}`]) {
      await olga.goto(path);
      await olga.locator('main table').first().waitFor();
      expect(await olga.evaluate('document.documentElement.scrollWidth > innerWidth')).toBe(false);
      expect(await violationsOf(olga)).toEqual([]);
    }
  });
});
