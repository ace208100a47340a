import { afterAll, describe, expect, jest, test } from '@jest/globals';
import { areasOf } from '../../../ops/bench/areas.ts';
import { createInstallation } from '../../../ops/bench/installation.ts';
import { measureKilled } from '../../../ops/bench/killed.ts';
import { measureLedger } from '../../../ops/bench/ledger.ts';
import { chatRequest } from '../../../ops/bench/load.ts';
import type { Plan } from '../../../ops/bench/plan.ts';
import { measurePoint, TARGET_NAMES, withTargets } from '../../../ops/bench/point.ts';
import { measureRuns } from '../../../ops/bench/runs/runs.ts';

const short = { rounds: 1, roundMs: 300, warmUpMs: 300 };
const plan: Plan = {
  ...short,
  pacedMs: 300,
  accounts: 3,
  memoryRequests: 200,
  coldStarts: 1,
  killAfterMs: 1_000,
  keyedPairs: 3,
  runs: { rounds: 1, callsAlone: 1, runsTogether: 3, stepRuns: 4, inFlight: 2, readers: 3, readersMs: 50 },
  batches: { rounds: 1, lines: 100, liveMs: 300, pacedMs: 300 },
};

// Each starts several servers.
jest.setTimeout(900_000);

const installation = await createInstallation();

afterAll(() => installation.close());

test('answers one load on every server without an error, whole and streamed', async () => {
  await withTargets(installation, 0, async (targets) => {
    for (const stream of [false, true]) {
      const request = chatRequest({ key: installation.secret, stream });
      const point = await measurePoint(targets, { request, connections: 4 }, short);
      for (const name of TARGET_NAMES) {
        const [sample] = point[name];
        expect({ name, errors: sample!.errors }).toEqual({ name, errors: 0 });
        expect(sample!.requestsPerSecond).toBeGreaterThan(0);
        expect(sample!.eventsPerSecond > 0).toBe(stream);
      }
    }
  });
});

describe('the ledger', () => {
  test('settles for every kind of waiter', async () => {
    const rates = await measureLedger(installation, { ...short, accounts: 3 });
    for (const [rate] of Object.values(rates)) expect(rate!.perSecond).toBeGreaterThan(0);
  });

  test('contains every answer of a killed server, and no hold after the sweep', async () => {
    const request = chatRequest({ key: installation.secret, stream: false });
    const { answered, lost, holdsLeftAfterSweep } = await measureKilled(installation, request, 3_000);
    expect(answered).toBeGreaterThan(0);
    expect({ lost, holdsLeftAfterSweep }).toEqual({ lost: 0, holdsLeftAfterSweep: 0 });
  });
});

// The others are measured below, or by these areas.
test.each(['chat', 'paced', 'streams', 'footprint', 'batches', 'processes'])(
  '%s has a figure in each row',
  async (name) => {
    const [area] = areasOf(name);
    const { rows } = await area!.measure({
      installation,
      plan,
      searchPath: process.env.PATH ?? '',
      onProgress: () => {},
    });
    expect(rows.length).toBeGreaterThan(0);
    for (const row of rows) {
      expect(Object.values(row)).not.toContainEqual(expect.stringMatching(/NaN|Infinity/));
      if (row.goal === '≤ 0') expect(row).toMatchObject({ ours: '0' });
    }
  },
);

test('runs are accepted, end, and reach every reader, beside bare workflows', async () => {
  const { accepted, alone, together, delivered } = await measureRuns(installation, plan.runs, () => {});
  for (const [compared] of [accepted, alone, together]) {
    expect(Math.min(...compared!.ours, ...compared!.bare)).toBeGreaterThan(0);
  }
  expect(together[0]!.ours).toHaveLength(plan.runs.runsTogether);
  expect(delivered[0]!.written).toBeGreaterThan(0);
});
