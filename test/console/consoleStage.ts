import { setAccountStage } from '../api/accounts/accountStage.ts';
import type { Stage } from '../support/browser.ts';
import { startApi, type ApiSetting } from '../support/startApi.ts';
import { startWorkerProcess } from '../support/startWorker.ts';
import { startTestTemporal } from '../support/temporal.ts';
import { visitAs } from './visitAs.ts';

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

  const visit = (browser: Stage, person: { email: string }) => visitAs(browser, stage.api.url, person);

  const makeOperator = (email: string) =>
    stage.asOwner('update users set is_operator = true where email = $1', [email]);

  return { ...stage, visit, makeOperator, close };
}
