import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { issueInvoices } from '../../db/invoices/issueInvoices.ts';
import { describeInBrowser } from '../support/browser.ts';
import { failAtOnce, TEST_ISSUER } from '../support/issuer.ts';
import { setConsoleStage, violationsOf, type ConsoleStage } from './consoleStage.ts';

const day = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeZone: 'UTC' });
const dayOf = (at: string): string => day.format(new Date(at));

describeInBrowser('invoices and whom they are for', (browser) => {
  let stage: ConsoleStage;
  let page: Page;
  let workspaceId: string;
  beforeAll(async () => {
    stage = await setConsoleStage();
    const ada = await stage.person();
    workspaceId = ada.me.workspace.id;
    await stage.credit(workspaceId, '20');
    page = await stage.visit(browser, ada);
  });
  afterAll(() => stage?.close());

  const dialog = () => page.getByRole('dialog');

  /** Moves all that the workspace has into a month that has ended, and issues its invoice. */
  async function endMonth(): Promise<void> {
    await stage.asOwner(
      `do $$ begin
         set local session_replication_role = replica;
         update ledger_legs set created_at = created_at - interval '40 days' where workspace_id = '${workspaceId}';
         update requests set settled_at = settled_at - interval '40 days' where workspace_id = '${workspaceId}' and sequence is not null;
         update accounts set created_at = created_at - interval '40 days' where workspace_id = '${workspaceId}';
         update invoice_series set begins_after = '2020-01';
       end $$`,
      [],
    );
    await issueInvoices(stage.db, TEST_ISSUER, failAtOnce);
  }

  test('details are set, an invoice is issued, found by its number, read and downloaded', async () => {
    await page.goto('/billing?view=invoices');
    await page.getByText('No invoices yet').waitFor();
    await page.getByRole('button', { name: 'Edit details' }).click();
    await dialog().getByLabel('Company').fill('Północny Wiatr');
    await dialog().getByLabel('Address', { exact: true }).fill('ul. Świętokrzyska 12');
    await dialog().getByLabel('City').fill('Łódź');
    await dialog().getByRole('combobox', { name: 'Country' }).fill('Pol');
    await page.getByRole('option', { name: 'Poland' }).click();
    await dialog().getByRole('combobox', { name: 'Type of tax number' }).fill('EU VAT');
    await page.getByRole('option', { name: 'EU VAT' }).click();
    await dialog().getByLabel('Tax number', { exact: true }).fill('PL12');
    await dialog().getByLabel('Purchase order').fill('PO-1');
    expect(await violationsOf(page)).toEqual([]);
    await dialog().getByRole('button', { name: 'Save details' }).click();
    await dialog()
      .getByText(/A tax number of the type eu_vat looks like/)
      .waitFor();
    await dialog().getByLabel('Tax number', { exact: true }).fill('PL1234567890');
    await dialog().getByRole('button', { name: 'Save details' }).click();
    await page.getByText('Północny Wiatr').waitFor();

    await endMonth();
    await page.reload();
    await page.getByRole('link', { name: 'INV-000001', exact: true }).waitFor();
    expect(await violationsOf(page)).toEqual([]);
    await page.keyboard.press('Control+k');
    await page
      .getByRole('textbox', { name: 'Search' })
      .or(page.getByPlaceholder('Search pages'))
      .first()
      .fill('inv-000001');
    await page.getByRole('option', { name: /INV-000001/ }).click();
    await dialog().getByText('Invoice INV-000001').waitFor();
    await dialog().getByText('ul. Świętokrzyska 12').waitFor();
    expect(await dialog().getByRole('group', { name: 'What was paid' }).innerText()).toContain('$20.00');
    expect(await violationsOf(page)).toEqual([]);
    const download = page.waitForEvent('download');
    await dialog().getByRole('link', { name: 'Download PDF' }).click();
    expect((await download).suggestedFilename()).toBe('INV-000001.pdf');
  });

  test('it is downloaded in a tab whose workspace is not the last one that was chosen', async () => {
    const { request } = page.context();
    const headers = { 'x-ledgerline-csrf': '1', origin: stage.api.url };
    const made = await request.post('/console/v1/auth/organization/create', { data: { name: 'Other' }, headers });
    const { id } = (await made.json()) as { id: string };
    await request.post('/console/v1/auth/organization/set-active', { data: { organizationId: id }, headers });
    const download = page.waitForEvent('download');
    await dialog().getByRole('link', { name: 'Download PDF' }).click();
    expect((await download).suggestedFilename()).toBe('INV-000001.pdf');
    await request.post('/console/v1/auth/organization/set-active', {
      data: { organizationId: workspaceId },
      headers,
    });
  });

  test.each(['Pacific/Honolulu', 'Pacific/Kiritimati'])(
    'its days are those of its PDF for a reader in %s',
    async (timezoneId) => {
      const answer = await page.context().request.get('/console/v1/invoices?limit=1');
      const { data } = (await answer.json()) as { data: { id: string; created_at: string }[] };
      const invoice = await page.context().request.get(`/console/v1/invoices/${data[0]!.id}`);
      const { lines } = (await invoice.json()) as { lines: { at: string | null }[] };
      const storageState = await page.context().storageState();
      const far = await browser.newPage({ baseURL: stage.api.url, timezoneId, storageState, reducedMotion: 'reduce' });
      await far.goto('/billing?view=invoices');
      await far.getByRole('link', { name: 'INV-000001', exact: true }).click();
      await far.getByText(`Issued${dayOf(data[0]!.created_at)}`).waitFor();
      const paid = await far.getByRole('group', { name: 'What was paid' }).innerText();
      expect(paid).toContain(dayOf(lines[0]!.at!));
    },
  );

  test('an invoice is read on a phone', async () => {
    await page.setViewportSize({ width: 360, height: 780 });
    await page.goto('/billing?view=invoices');
    await page.getByRole('link', { name: 'INV-000001', exact: true }).click();
    await dialog().getByText('Invoice INV-000001').waitFor();
    expect(await violationsOf(page)).toEqual([]);
    expect(await page.evaluate('document.documentElement.scrollWidth > innerWidth')).toBe(false);
  });
});
