import type { Page } from 'playwright-core';
import { setAccountStage, password } from '../api/accounts/accountStage.ts';
import type { Stage } from '../support/browser.ts';
import { startApi, type ApiSetting } from '../support/startApi.ts';
import { startWorkerProcess } from '../support/startWorker.ts';
import { startTestTemporal } from '../support/temporal.ts';

export { violationsOf } from './violations.ts';

export type ConsoleStage = Awaited<ReturnType<typeof setConsoleStage>>;

/**
 * The whole service with people: API, worker and Temporal, both programs with `env`. `visit` opens the console as one of them. `catalog`
 * adds models.
 */
export async function setConsoleStage(env: Record<string, string> = {}, catalog?: ApiSetting['catalog']) {
  const temporal = await startTestTemporal();
  const stage = await setAccountStage({
    env: { TEMPORAL_ADDRESS: temporal.address, ...env },
    ...(catalog && { start: (setting: ApiSetting) => startApi({ ...setting, catalog }) }),
  });
  const worker = await startWorkerProcess({
    ...stage.addresses,
    temporalAddress: temporal.address,
    ...(catalog && { catalog }),
    env: { SANDBOX_TIER: 'quickjs', ...env },
  });

  async function close(): Promise<void> {
    await worker.stop();
    await stage.close();
    await temporal.stop();
  }

  /** A page of a signed-in person, without transitions: half-drawn colours have too little contrast. */
  async function visit(browser: Stage, { email }: { email: string }): Promise<Page> {
    const page = await browser.newPage({ baseURL: stage.api.url, reducedMotion: 'reduce' });
    await page.goto('/sign-in');
    const status = await page.evaluate(async (body) => {
      const headers = { 'content-type': 'application/json', 'x-ledgerline-csrf': '1' };
      return (await fetch('/console/v1/auth/sign-in/email', { method: 'POST', headers, body })).status;
    }, JSON.stringify({ email, password }));
    if (status !== 200) throw new Error(`signing in answered ${status}`);
    return page;
  }

  const makeOperator = (email: string) =>
    stage.asOwner('update users set is_operator = true where email = $1', [email]);

  return { ...stage, visit, makeOperator, close };
}
