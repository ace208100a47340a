import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { noteAlerts } from '../../db/alerts/noteAlerts.ts';
import { describeInBrowser } from '../support/browser.ts';
import { setConsoleStage, violationsOf, type ConsoleStage } from './consoleStage.ts';

describeInBrowser('alerts on budgets and on how long the balance lasts', (browser) => {
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
  const row = (text: string) => page.locator('main tbody tr').filter({ hasText: text });

  test('a budget is set, spent, told of by mail and on Home, changed and deleted', async () => {
    await page.goto('/billing?view=alerts');
    await page.getByRole('button', { name: 'Create alert' }).click();
    const budget = dialog().getByLabel('Budget', { exact: true });
    await budget.fill('10.00');
    expect(await violationsOf(page)).toEqual([]);
    await budget.press('Enter');
    await row('Monthly spend of the workspace').getByText('Within').waitFor();

    const { rows } = await stage.db.pool.query<{ id: string }>(
      'select id from api_keys where workspace_id = $1 limit 1',
      [workspaceId],
    );
    await stage.asOwner(
      `insert into key_days (key_id, day, workspace_id, spent_nanos)
         values ($1, (now() at time zone 'utc')::date, $2, 8000000000)`,
      [rows[0]!.id, workspaceId],
    );
    await noteAlerts(stage.db.everywhere);
    await page.reload();
    await row('Monthly spend of the workspace').getByText('80% reached').waitFor();
    expect(await row('Monthly spend of the workspace').innerText()).toMatch(/\$8(\.00)? of \$10(\.00)?/);
    expect(await violationsOf(page)).toEqual([]);
    const { rows: mails } = await stage.db.pool.query(
      `select e.data ->> 'percent' as percent from event_mails m join platform_events e on e.id = m.event_id
         where e.workspace_id = $1 and e.type = 'alert.spend_reached'`,
      [workspaceId],
    );
    expect(mails).toEqual([{ percent: '80' }]);
    await page.goto('/');
    await page.getByText(/^Spending of .* has reached \d+ % of its budget of \$/).waitFor();

    await page.goto('/billing?view=alerts');
    await row('Monthly')
      .getByRole('button', { name: /^Change alert: Monthly spend of/ })
      .click();
    await dialog().getByLabel('Budget', { exact: true }).fill('100');
    await dialog().getByRole('button', { name: 'Save' }).click();
    await row('Monthly').getByText('Within').waitFor();
    await row('Monthly').getByRole('button', { name: 'Delete alert' }).click();
    await dialog().getByRole('button', { name: 'Delete alert' }).click();
    await page.getByText('No alerts yet').waitFor();
  });

  test('notices of one moment with one text stay as many when a later one comes', async () => {
    const note = (nth: number, type: string, ago: string) =>
      stage.db.pool.query(
        `insert into platform_events (id, workspace_id, type, resource_type, resource_id, data, created_at)
           values ('evt_note_' || $1, $2, $3, 'it', 'it_1', '{}', date_trunc('minute', now()) - $4::interval)`,
        [nth, workspaceId, type, ago],
      );
    await note(1, 'topup.failed', '2 minutes');
    await note(2, 'topup.failed', '2 minutes');
    await page.goto('/');
    const declined = page.getByText(/^A payment was declined/);
    await declined.nth(1).waitFor();
    await note(3, 'alert.runway_short', '0');
    await page.getByText('The balance will not last long at this pace.').waitFor();
    expect(await declined.count()).toBe(2);
  });

  test('a runway is set on a phone', async () => {
    await page.setViewportSize({ width: 390, height: 844 });
    await page.goto('/billing?view=alerts');
    await page.getByRole('button', { name: 'Create alert' }).click();
    await dialog().getByText('Runway', { exact: true }).click();
    await dialog().getByLabel('Days left').fill('14');
    expect(await violationsOf(page)).toEqual([]);
    await dialog().getByRole('button', { name: 'Create alert' }).click();
    await row('How long the balance lasts').waitFor();
    expect(await page.evaluate('document.documentElement.scrollWidth > innerWidth')).toBe(false);
  });
});
