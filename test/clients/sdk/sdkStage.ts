import { Ledgerline, type LedgerlineOptions } from '../../../clients/typescript/src/index.ts';
import { balanceOf } from '../../support/account.ts';
import { startCuttingProxy } from '../../support/network.ts';
import { setAgentCallStage } from '../agentCallStage.ts';

export { asking, askingTogether, call, told } from '../agentCallStage.ts';

/** The platform with agents (see `setAgentCallStage`), and the package's client with the key of another workspace. */
export async function setSdkStage() {
  const stage = await setAgentCallStage({ webhooks: true });
  const caller = stage.stranger;
  const clients = createClients(stage.url, caller.secret);

  return {
    ...stage,
    ...clients,
    caller,
    client: clients.newClient(),
    balanceNanos: () => balanceOf(stage.db, caller.workspaceId),
    /** How many runs the caller has, and how many bills. */
    async runsAndBills(): Promise<{ runs: number; bills: number }> {
      const { rows } = await stage.db.pool.query(
        `select (select count(*)::int from runs where workspace_id = $1) as runs,
                (select count(*)::int from ledger_entries where account_id = $2 and kind = 'debit') as bills`,
        [caller.workspaceId, caller.accountId],
      );
      return rows[0];
    },
    async close(): Promise<void> {
      await clients.stop();
      await stage.close();
    },
  };
}

/** The package's clients of an API, by themselves and behind proxies that cut answers. */
export function createClients(url: string, apiKey: string) {
  const proxies: { stop(): Promise<void> }[] = [];
  const newClient = (options: LedgerlineOptions = {}) => new Ledgerline({ apiKey, baseUrl: url, ...options });

  /** A client whose next answers are cut after so many bytes each. */
  async function newCutClient(cutAfterBytes: number[], options: LedgerlineOptions = {}) {
    const proxy = await startCuttingProxy(cutAfterBytes);
    proxies.push(proxy);
    proxy.leadTo(url);
    // Each request has a connection of its own, so that each answer meets a cut.
    const fetch: typeof globalThis.fetch = (input, init) => {
      const request = new Request(input, init);
      request.headers.set('connection', 'close');
      return globalThis.fetch(request);
    };
    return Object.assign(newClient({ baseUrl: proxy.url, fetch, ...options }), { cutsLeft: proxy.cutsLeft });
  }

  const stop = async () => void (await Promise.all(proxies.map((proxy) => proxy.stop())));
  return { newClient, newCutClient, stop };
}
