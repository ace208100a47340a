import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { freePort } from '../../ops/stack/process/port.ts';
import { codeOf, protect } from '../api/accounts/protect.ts';
import { describeInBrowser } from '../support/browser.ts';
import { startOpenIdProvider } from '../support/openIdProvider.ts';
import { setConsoleStage, violationsOf, type ConsoleStage } from './consoleStage.ts';

describeInBrowser('signing in by a provider', (browser) => {
  let stage: ConsoleStage;
  let provider: Awaited<ReturnType<typeof startOpenIdProvider>>;
  beforeAll(async () => {
    const port = await freePort();
    const url = `http://127.0.0.1:${port}`;
    provider = await startOpenIdProvider(() => [`${url}/console/v1/auth/callback/oidc`]);
    stage = await setConsoleStage({ ...provider.env, PORT: String(port), PUBLIC_URL: url });
  });
  afterAll(async () => {
    await stage?.close();
    await provider?.stop();
  });

  async function open(path: string): Promise<Page> {
    const page = await browser.newPage({ baseURL: stage.api.url, reducedMotion: 'reduce' });
    await page.goto(path);
    return page;
  }

  /** Presses the button and answers the provider's question. */
  async function enter(page: Page, subject: string): Promise<void> {
    await page.getByRole('button', { name: 'Continue with Example ID' }).click();
    await page.getByLabel('Subject').fill(subject);
    await page.getByRole('button', { name: 'Continue' }).click();
  }

  test('opens an account, and the page that was asked for', async () => {
    provider.people.set('grace', { name: 'Grace Hopper', email: stage.newEmail('grace'), email_verified: true });
    const page = await open('/usage');
    await page.getByRole('button', { name: 'Continue with Example ID' }).waitFor();
    expect(await violationsOf(page)).toEqual([]);
    await enter(page, 'grace');
    await page.getByRole('heading', { name: 'Usage', level: 1 }).waitFor();
    await page.getByRole('button', { name: 'Workspace: Grace Hopper’s workspace' }).waitFor();
  });

  test('is refused without a verified address, with the reason', async () => {
    provider.people.set('eve', { name: 'Eve', email: stage.newEmail('eve'), email_verified: false });
    const page = await open('/sign-in');
    await enter(page, 'eve');
    await page.getByText('The provider has not verified your address.').waitFor();
    expect(await violationsOf(page)).toEqual([]);
  });

  test('is added in the settings, then still asks for the second factor, and is removed', async () => {
    const ada = await stage.person();
    provider.people.set('ada', { name: 'Ada', email: ada.email, email_verified: true });
    const page = await stage.visit(browser, ada);
    await page.goto('/settings?tab=security');
    await page.getByRole('button', { name: 'Add Example ID' }).click();
    await page.getByLabel('Subject').fill('ada');
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByRole('button', { name: 'Remove Example ID' }).waitFor();
    expect(await violationsOf(page)).toEqual([]);

    const { totpURI } = await protect(ada);
    const phone = await open('/sign-in');
    await enter(phone, 'ada');
    await phone.getByLabel('Code from your authenticator app').fill(codeOf(totpURI, 1));
    await phone.getByRole('button', { name: 'Continue', exact: true }).click();
    await phone.getByRole('button', { name: /^Workspace: / }).waitFor();

    await page.reload();
    await page.getByRole('button', { name: 'Remove Example ID' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Remove Example ID' }).click();
    await page.getByRole('button', { name: 'Add Example ID' }).waitFor();
  });
});
