import { openDatabase } from '../../../db/database.ts';
import { checkInvariants } from '../../../db/invariants/invariants.ts';
import { medianOf } from '../statistics.ts';
import { costOf, type Cost } from './cost.ts';
import { type FilledServer, withClient } from './filled.ts';
import { type Work, WORKS } from './works.ts';

/** The medians of an operation at each size, in the order of sizes. */
export interface Growth {
  name: string;
  costs: Cost[];
}

interface Plan {
  sizes: number[];
  rounds: number;
  check: boolean;
  /** A part of the names of the operations to measure. */
  only: string;
  print: (text: string) => void;
}

/** Measures every operation at each size, round after round, so that a disturbance of the machine affects all sizes. */
export async function measureGrowth(
  server: FilledServer,
  { sizes, rounds, check, only, print }: Plan,
): Promise<Growth[]> {
  const works = WORKS.filter(({ name }) => name.includes(only));
  const measured = works.map(({ name }) => ({ name, costs: sizes.map((): Cost[] => []) }));
  for (let round = 0; round <= rounds; round += 1)
    for (const [place, size] of sizes.entries()) {
      print(`round ${round}: ${size} calls`);
      const costs = await measureOnce(server, { size, works });
      // The first round loads the pages for later rounds.
      if (round > 0) costs.forEach((cost, index) => measured[index]!.costs[place]!.push(cost));
    }
  const growth = measured.map(({ name, costs }) => ({ name, costs: costs.map(medianCost) }));
  return check ? [...growth, await measureChecks(server, sizes)] : growth;
}

async function measureOnce(server: FilledServer, { size, works }: { size: number; works: Work[] }): Promise<Cost[]> {
  const onError = (error: unknown) => console.error(error);
  const db = await openDatabase({ url: server.applicationUrlOf(size), spends: true, onError });
  try {
    return await withClient(server.ownerUrlOf(size), async (owner) => {
      const costs: Cost[] = [];
      for (const work of works) {
        // Runs once as a warm-up of plans and catalogue pages, then removes old row versions, as autovacuum would.
        await work.run(db, 0);
        await db.ledger.posted();
        await owner.query('vacuum accounts, holds, key_days, settlement_batches, processes, request_progress');
        costs.push(await costOf(work, { db, owner }));
      }
      return costs;
    });
  } finally {
    await db.close();
  }
}

const medianCost = (costs: Cost[]): Cost => ({
  cpuMicros: medianOf(costs.map(({ cpuMicros }) => cpuMicros)),
  pages: medianOf(costs.map(({ pages }) => pages)),
  walBytes: medianOf(costs.map(({ walBytes }) => walBytes)),
  ms: medianOf(costs.map(({ ms }) => ms)),
});

/** The ledger check, once at each size, because it reads all rows. Throws when a rule is broken. */
async function measureChecks(server: FilledServer, sizes: number[]): Promise<Growth> {
  const costs: Cost[] = [];
  for (const size of sizes) {
    const db = await openDatabase({ url: server.applicationUrlOf(size), spends: false, onError: console.error });
    const startedAtMs = performance.now();
    const { violations } = await checkInvariants(db.pool);
    costs.push({ cpuMicros: NaN, pages: NaN, walBytes: NaN, ms: performance.now() - startedAtMs });
    await db.close();
    if (violations.length > 0)
      throw new Error(`the ledger of ${size} calls is not sound: ${JSON.stringify(violations)}`);
  }
  return { name: 'ledger check', costs };
}
