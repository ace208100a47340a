import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { createSealingKey } from '../../db/sealing/sealingKeys.ts';
import { freePort } from '../../ops/stack/process/port.ts';
import { password } from '../api/accounts/accountStage.ts';
import { codeOf, protect } from '../api/accounts/protect.ts';
import { describeInBrowser } from '../support/browser.ts';
import { startDnsServer } from '../support/dnsServer.ts';
import { CLIENT, startOpenIdProvider } from '../support/openIdProvider.ts';
import { setConsoleStage, violationsOf, type ConsoleStage } from './consoleStage.ts';

describeInBrowser('signing in with a company', (browser) => {
  let stage: ConsoleStage;
  let provider: Awaited<ReturnType<typeof startOpenIdProvider>>;
  let dns: Awaited<ReturnType<typeof startDnsServer>>;
  const redirects = new Set<string>();
  beforeAll(async () => {
    const port = await freePort();
    const url = `http://127.0.0.1:${port}`;
    redirects.add(`${url}/console/v1/auth/callback/oidc`);
    provider = await startOpenIdProvider(() => [...redirects]);
    dns = await startDnsServer();
    stage = await setConsoleStage({
      PORT: String(port),
      PUBLIC_URL: url,
      CATALOG_SECRETS_KEY: createSealingKey(),
      SSO_PRIVATE_ORIGINS: provider.issuer,
      SSO_DNS_SERVERS: dns.address,
    });
  });
  afterAll(async () => {
    await stage?.close();
    await provider?.stop();
    await dns?.stop();
  });

  async function open(path: string): Promise<Page> {
    const page = await browser.newPage({ baseURL: stage.api.url, reducedMotion: 'reduce' });
    await page.goto(path);
    return page;
  }

  async function answer(page: Page, subject: string): Promise<void> {
    await page.getByLabel('Subject').fill(subject);
    await page.getByRole('button', { name: 'Continue' }).click();
  }

  const person = (name: string, groups: string[]) =>
    provider.people.set(name, { name, email: `${name}@company.example`, email_verified: true, groups });

  test('an owner proves a domain, sets up, tries and enforces the provider; members sign in by their address', async () => {
    const ada = await stage.person();
    const page = await stage.visit(browser, ada);
    await page.goto('/settings?tab=sign-in');
    const domains = page.getByRole('region', { name: 'Mail domains' });
    await domains.getByRole('textbox', { name: 'Domain' }).fill('company.example');
    await domains.getByRole('button', { name: 'Add domain' }).click();
    await domains.getByText('Waits for its record').waitFor();
    const [name, text] = await domains.getByRole('table').locator('p.id').allTextContents();
    dns.records.set(name!, text!);
    expect(await violationsOf(page)).toEqual([]);
    await domains.getByRole('button', { name: 'Verify' }).click();
    await domains.getByText('Proved').waitFor();

    await page.getByRole('button', { name: 'Set up provider' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill('Example ID');
    await dialog.getByLabel('Issuer').fill(provider.issuer);
    await dialog.getByLabel('Client ID').fill(CLIENT.id);
    await dialog.getByLabel('Client secret').fill(CLIENT.secret);
    await dialog.getByLabel('Claim with the groups').fill('groups');
    await dialog.getByRole('button', { name: 'Add group' }).click();
    await dialog.getByLabel('Group 1', { exact: true }).fill('engineers');
    expect(await violationsOf(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Save provider' }).click();
    await page.getByText('Not tried yet').waitFor();
    redirects.add((await page.getByText('/console/v1/auth/sso/callback/').textContent())!);

    person('olga', ['engineers']);
    await page.getByRole('button', { name: 'Try it' }).click();
    await answer(page, 'olga');
    await page.getByText('The provider named olga@company.example with the groups engineers').waitFor();
    await page.getByText('Works', { exact: true }).waitFor();
    expect(await violationsOf(page)).toEqual([]);
    await page.getByLabel('Members with your domains sign in only with it').click();
    await page.getByRole('dialog').getByRole('button', { name: 'Require it' }).click();
    await page.getByText('The rule is changed').waitFor();

    person('grace', ['engineers']);
    const other = await open('/usage');
    await other.getByLabel('Email').fill('grace@company.example');
    expect(await violationsOf(other)).toEqual([]);
    await other.getByRole('button', { name: 'Continue', exact: true }).click();
    await answer(other, 'grace');
    await other.getByRole('heading', { name: 'Usage', level: 1 }).waitFor();

    person('eve', ['gardeners']);
    const refused = await open('/sign-in');
    await refused.getByLabel('Email').fill('eve@company.example');
    await refused.getByRole('button', { name: 'Continue', exact: true }).click();
    await answer(refused, 'eve');
    await refused.getByText('None of your groups has access to this workspace.').waitFor();

    await page.goto('/settings?tab=audit');
    await page.getByText('Became a member by the identity provider').first().waitFor();
    expect(await violationsOf(page)).toEqual([]);
  });

  test('a member without a second factor is led to set one up, and sees the workspace right after', async () => {
    const ada = await stage.person();
    await protect(ada);
    const rules = { requires_second_factor: true };
    expect((await ada.send('PATCH', '/console/v1/session-rules', rules)).status).toBe(200);
    const bob = await stage.person({ name: 'Bob Builder' });
    const organizationId = ada.me.workspace.id;
    const { body } = await ada.post('auth/organization/invite-member', {
      organizationId,
      email: bob.email,
      role: 'developer',
    });
    await bob.post('auth/organization/accept-invitation', { invitationId: body.id });
    const page = await stage.visit(browser, bob);
    await page.evaluate(async (body) => {
      const headers = { 'content-type': 'application/json', 'x-ledgerline-csrf': '1' };
      await fetch('/console/v1/auth/organization/set-active', { method: 'POST', headers, body });
    }, JSON.stringify({ organizationId }));
    await page.goto('/keys');
    await page.getByRole('heading', { name: 'Set up two-factor authentication', level: 1 }).waitFor();
    expect(await violationsOf(page)).toEqual([]);
    await page.getByRole('button', { name: 'Turn on' }).click();
    await page.getByRole('dialog').getByLabel('Your password *').fill(password);
    await page.getByRole('button', { name: 'Continue' }).click();
    const key = (await page.getByRole('dialog').locator('code.id').textContent())!.replaceAll(' ', '');
    await page.getByLabel('Code from the app').fill(codeOf(`otpauth://totp/x?secret=${key}`));
    await page.getByRole('button', { name: 'Turn on' }).last().click();
    await page.getByRole('heading', { name: 'Keys', level: 1 }).waitFor();
  });
});
