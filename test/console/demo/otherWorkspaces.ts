import type { Model } from '../../../db/catalog/catalog.ts';
import { makeAccount } from '../../support/account.ts';
import type { Chance } from './chance.ts';
import type { DemoStage } from './demoStage.ts';
import { insertCalls, insertTopups } from './insertPast.ts';
import { pastCallsOf } from './pastCalls.ts';

const DAY_MS = 86_400_000;

// Name, calls of the past month, and the balance that its payment leaves.
const WORKSPACES: [name: string, calls: number, usd: number][] = [
  ['Brightwater Energy', 700, 250],
  ['Juniper Health', 420, 100],
  ['Atelier Mond', 90, 25],
  ['Orbit Freight', 260, 50],
  ['Sandpiper Games', 0, 10],
];

export type OtherWorkspace = Awaited<ReturnType<typeof makeAccount>> & { calls: number; usd: number };

/** Other customers of the installation. */
export async function addWorkspaces({ db, owner }: DemoStage): Promise<OtherWorkspace[]> {
  const made: OtherWorkspace[] = [];
  for (const [name, calls, usd] of WORKSPACES) {
    const account = await makeAccount(db, { creditUsd: '0', name: 'Server', scopes: ['llm'] });
    await owner.query('update workspaces set name = $2 where id = $1', [account.workspaceId, name]);
    made.push({ ...account, calls, usd });
  }
  return made;
}

/** Their past. Only within `rewriteLedger`. */
export async function insertTheirPast(
  { owner }: DemoStage,
  workspaces: OtherWorkspace[],
  { models, untilMs, chance }: { models: Model[]; untilMs: number; chance: Chance },
): Promise<void> {
  for (const { workspaceId, accountId, keyId, calls, usd } of workspaces) {
    const since = new Date(untilMs - 31 * DAY_MS);
    await owner.query('update workspaces set created_at = $2 where id = $1', [workspaceId, since]);
    const share = { share: 1, rhythm: 'people', streams: true } as const;
    const applications = [{ keyId, models: { 'qwen3-32b': 2, 'mistral-small-3.2': 1 }, ...share }];
    const past = pastCallsOf({ calls, days: 30, untilMs, workspaceId, applications, models, chance });
    await insertCalls(owner, accountId, past);
    const topup = { atMs: untilMs - 30.5 * DAY_MS, usd, origin: 'checkout' } as const;
    await insertTopups(owner, { workspaceId, accountId }, [topup], chance);
  }
}
