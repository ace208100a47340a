import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { describeInBrowser } from '../../support/browser.ts';
import {
  checkStation,
  chooseDays,
  follow,
  press,
  setJourneyStage,
  type Device,
  type JourneyStage,
} from './journeyStage.ts';
import { expectSeen, nanosIn, nanosOf, tableOf } from './seen.ts';

// Three days of a month; the reason of a refused call is kept for a week.
const AT = '2026-11-03T10:00:00Z';
interface Row {
  id: string;
  status: number;
  model: string | null;
  cost_usd: number;
  calls: number;
  error: { code: string; message: string } | null;
}

/** The last day of October, as each of these people has it. */
const VIEWERS: { zone: string; device: Device; day: { from: string; to: string } }[] = [
  {
    zone: 'America/Los_Angeles',
    device: 'phone',
    day: { from: '2026-10-31T07:00:00Z', to: '2026-11-01T07:00:00Z' },
  },
  {
    zone: 'Pacific/Auckland',
    device: 'desktop',
    day: { from: '2026-10-30T11:00:00Z', to: '2026-10-31T11:00:00Z' },
  },
];

describeInBrowser('a developer makes a first call, and finds out why one of last month was refused', (browser) => {
  let stage: JourneyStage;
  beforeAll(async () => {
    stage = await setJourneyStage({ at: AT, calls: 1_500, days: 40 });
  }, 600_000);
  afterAll(() => stage?.close());

  describe.each(VIEWERS)('$zone, $device', ({ zone, device, day }) => {
    const name = `Picking cell of ${zone}`;
    let page: Page;
    let secret: string;
    beforeAll(async () => {
      page = await stage.visit(browser, { role: 'developer', zone, device });
    });
    afterAll(() => page?.context().close());

    const call = (key: string) =>
      fetch(`${stage.url}/v1/chat/completions`, {
        method: 'POST',
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        body: JSON.stringify({ model: 'qwen3-32b', messages: [{ role: 'user', content: 'Which oil for axis 2?' }] }),
      });

    test('a first key, whose secret calls', async () => {
      await checkStation(page);
      await press(page.getByRole('link', { name: 'Create key' }));
      const dialog = page.getByRole('dialog');
      await dialog.getByLabel('Name').fill(name);
      await checkStation(page);
      await press(dialog.getByRole('button', { name: 'Create key' }));
      secret = await page.getByTestId('secret').innerText();
      await checkStation(page);
      await press(page.getByRole('button', { name: 'I have copied it' }));
      expect((await call(secret)).status).toBe(200);
    });

    test('a first answer in the playground, whose cost is that of its request', async () => {
      await follow(page, 'Playground');
      await checkStation(page);
      await page.getByRole('textbox', { name: 'Message', exact: true }).fill('What pressure does gripper G2 need?');
      await press(page.getByRole('button', { name: 'Send', exact: true }));
      const figures = page.getByRole('list', { name: 'Figures of this call' });
      const cost = figures.getByText(/^Cost \$/);
      await cost.waitFor();
      await checkStation(page);
      const nanos = nanosIn((await cost.innerText()).replace('Cost ', ''));
      expect(nanos).toBeGreaterThan(0n);
      await press(figures.getByRole('link', { name: 'Request' }));
      await page.getByRole('heading', { name: 'Request', level: 1 }).waitFor();
      await checkStation(page);
      const id = new URL(page.url()).pathname.split('/').at(-1)!;
      expect(nanosOf((await stage.read<Row>(`/platform/v1/requests/${id}`)).cost_usd)).toBe(nanos);
      const shown = page.getByRole('region', { name: 'Cost and latency' }).locator('.headline').first();
      expect(nanosIn(await shown.innerText())).toBe(nanos);
    });

    test('a refused call of the last day of October says why it was refused, and what to do', async () => {
      await follow(page, 'Requests');
      await chooseDays(page, { from: '2026-10-31', to: '2026-10-31', isUtc: false, status: 'Refused (4xx)' });
      await checkStation(page);
      const { data } = await stage.read<{ data: Row[] }>('/platform/v1/requests', {
        ...day,
        status: '4xx',
        limit: '100',
      });
      expect(data.length).toBeGreaterThan(0);
      const region = page.getByRole('group', { name: 'Requests', exact: true });
      const seen = async () => {
        const { rows, foot } = await tableOf(region);
        return [foot.Ended!.text, ...rows.map((row) => row.Status!.text.replaceAll(/\s+/g, ''))];
      };
      const calls = `${data.length} ${data.length === 1 ? 'request' : 'requests'}`;
      await expectSeen(seen, [calls, ...data.map(({ status, error }) => `${status}${error!.code}`)]);

      const { id, error } = data[0]!;
      await press(region.getByRole('link').first());
      await page.getByRole('heading', { name: 'Request', level: 1 }).waitFor();
      expect(new URL(page.url()).pathname).toBe(`/requests/${id}`);
      await page.getByRole('alert').getByText(error!.message).waitFor();
      await page.getByText('What to do:').waitFor();
      await page.getByText('Nothing was charged.').waitFor();
      await checkStation(page);
    });

    test('a failed call from before the last week says that its reason is no longer kept', async () => {
      await follow(page, 'Requests');
      await chooseDays(page, { from: '2026-10-01', to: '2026-10-20', isUtc: true, status: 'Failed (5xx)' });
      const region = page.getByRole('group', { name: 'Requests', exact: true });
      const span = { from: '2026-10-01', to: '2026-10-20', status: '5xx' };
      const { calls } = await stage.read<{ calls: number }>('/platform/v1/requests/totals', span);
      expect(calls).toBeGreaterThan(0);
      await expectSeen(async () => (await tableOf(region)).foot.Ended!.text, `${calls} requests`);
      await press(region.getByRole('link').first());
      await page.getByText('The reason is no longer kept: 7 days have passed.').waitFor();
      await checkStation(page);
    });

    test('a rotated key calls with both of its secrets for an hour', async () => {
      await follow(page, 'Keys');
      await press(page.getByRole('button', { name: `Actions for ${name}` }));
      await press(page.getByRole('menuitem', { name: 'Rotate' }));
      await checkStation(page);
      await press(page.getByRole('dialog').getByRole('button', { name: 'Rotate key' }));
      const next = await page.getByTestId('secret').innerText();
      await press(page.getByRole('button', { name: 'I have copied it' }));
      await page
        .getByRole('row', { name: new RegExp(name) })
        .getByText(/^Rotating/)
        .filter({ visible: true })
        .waitFor();
      await checkStation(page);
      expect(next).not.toBe(secret);
      expect([(await call(secret)).status, (await call(next)).status]).toEqual([200, 200]);
      const { data } = await stage.read<{ data: { name: string; last_used_at: string }[] }>('/platform/v1/keys');
      expect(data.find((key) => key.name === name)!.last_used_at).toMatch(/^2026-11-03T/);
    });
  });

  test('leaves no error in the browsers', () => expect(browser.complaints).toEqual([]));
});
