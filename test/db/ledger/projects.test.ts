import { afterAll, afterEach, expect, test } from '@jest/globals';
import { newId } from '../../../db/ids.ts';
import { createKey } from '../../../db/keys/keyStore.ts';
import { updateKey } from '../../../db/keys/manageKeys.ts';
import type { Spender } from '../../../db/ledger/ledger.ts';
import { listEntriesOf } from '../../../db/ledger/ledgerEntries.ts';
import { findProject, insertProject, updateProject } from '../../../db/projects/projects.ts';
import { setTestDatabase } from '../../support/database.ts';
import { billOf, expectSoundLedger, makeSpender } from '../../support/ledger.ts';
import { until } from '../../support/until.ts';

const db = await setTestDatabase();
afterEach(() => expectSoundLedger(db));
afterAll(() => db.close());

const by = { keyId: null, requestId: 'req_test' };
const DEFAULTS = { rpm: 60, concurrency: 10 };

/** A project with a ceiling, and a key there. */
async function makeProject(workspaceId: string, spendLimitNanos: bigint | null = null): Promise<string> {
  const id = newId('proj');
  const limit = { spendLimitNanos, spendLimitPeriod: spendLimitNanos === null ? null : ('monthly' as const) };
  await insertProject(db.write(workspaceId), { id, by, name: 'One', ...limit });
  return id;
}

async function makeKeyIn(spender: Spender, projectId: string, more: object = {}): Promise<Spender> {
  const { workspaceId, accountId } = spender;
  const { id } = await createKey(db.everywhere, { workspaceId, name: 'key', scopes: ['llm'], projectId, ...more });
  return { keyId: id, workspaceId, accountId, projectId };
}

const move = ({ workspaceId, keyId }: Spender, projectId: string | null) =>
  updateKey(db.write(workspaceId), keyId, {
    change: { projectId },
    by: { ...by, grantable: new Set(['llm', 'voice', 'batch']) },
    defaults: DEFAULTS,
  });

/** One call. Resolves with its charge, or the reason for its refusal. */
async function spend(spender: Spender, nanos: bigint): Promise<bigint | string> {
  try {
    return await db.ledger.settle(await db.ledger.hold(spender, nanos), billOf(spender, nanos));
  } catch (error) {
    return (error as { reason?: string }).reason ?? String(error);
  }
}

async function spentIn({ workspaceId }: Spender, projectId: string): Promise<bigint> {
  await db.ledger.posted();
  return (await findProject(db.read(workspaceId), projectId, false))!.monthlyNanos;
}

async function projectsOfCalls({ workspaceId }: Spender): Promise<(string | null)[]> {
  await db.ledger.posted();
  const text = 'select project_id from requests where workspace_id = $1 order by settled_at, id';
  const { rows } = await db.pool.query<{ project_id: string | null }>(text, [workspaceId]);
  return rows.map(({ project_id: id }) => id);
}

test('a call counts for the project of its key, and for no other', async () => {
  const { spender } = await makeSpender(db, { balanceNanos: 1_000_000n });
  const [one, other] = [await makeProject(spender.workspaceId), await makeProject(spender.workspaceId)];
  expect(await spend(await makeKeyIn(spender, one), 300n)).toBe(300n);
  expect(await spend(spender, 50n)).toBe(50n);
  expect([await spentIn(spender, one), await spentIn(spender, other)]).toEqual([300n, 0n]);
  expect(await spentIn(spender, 'default')).toBe(50n);
});

test('who sees one project gets the hash of the entry before a call, which is of another', async () => {
  const { spender } = await makeSpender(db, { balanceNanos: 1_000_000n });
  const [one, other] = [await makeProject(spender.workspaceId), await makeProject(spender.workspaceId)];
  await spend(await makeKeyIn(spender, other), 200n);
  await spend(await makeKeyIn(spender, one), 300n);
  await db.ledger.posted();
  const { rows } = await db.pool.query<{ id: string; hash: string }>(
    `select id, lag(encode(hash, 'hex')) over (order by sequence) as hash from requests where workspace_id = $1 order by sequence desc limit 1`,
    [spender.workspaceId],
  );
  const seen = db.read(spender.workspaceId, [one]);
  expect(await listEntriesOf(seen, rows[0]!.id)).toMatchObject([{ amountNanos: -300n, prevHash: rows[0]!.hash }]);
  const before = await db.pool.query('select id from requests where workspace_id = $1 order by sequence limit 1', [
    spender.workspaceId,
  ]);
  expect(await listEntriesOf(seen, before.rows[0].id as string)).toEqual([]);
});

test('the ceiling of a project binds all of its keys together, and leaves others alone', async () => {
  const { spender } = await makeSpender(db, { balanceNanos: 1_000_000n });
  const project = await makeProject(spender.workspaceId, 1_000n);
  const [first, second] = [await makeKeyIn(spender, project), await makeKeyIn(spender, project)];
  expect(await spend(first, 700n)).toBe(700n);
  const last = await db.ledger.hold(second, 700n);
  expect([last.amountNanos, last.partial]).toEqual([300n, true]);
  await db.ledger.settle(last, billOf(second, 300n));
  expect(await spend(first, 1n)).toBe('project');
  expect(await spend(second, 1n)).toBe('project');
  expect(await spend(spender, 500n)).toBe(500n);
});

test('many calls of many keys race for the last cent of a project: exactly its ceiling is spent', async () => {
  const { spender } = await makeSpender(db, { balanceNanos: 1_000_000n });
  const project = await makeProject(spender.workspaceId, 10_000n);
  const keys = await Promise.all(Array.from({ length: 8 }, () => makeKeyIn(spender, project)));
  const outcomes = await Promise.all(Array.from({ length: 96 }, (_, nth) => spend(keys[nth % keys.length]!, 1_000n)));
  // Repeats what was refused while all was held.
  for (let outcome: bigint | string = 'held'; outcome === 'held' || typeof outcome === 'bigint'; outcomes.push(outcome))
    outcome = await spend(keys[0]!, 1_000n);
  const charged = outcomes.reduce<bigint>((sum, one) => sum + (typeof one === 'bigint' ? one : 0n), 0n);
  expect(charged).toBe(10_000n);
  expect(await spentIn(spender, project)).toBe(10_000n);
  expect(new Set(outcomes.filter((one) => typeof one === 'string'))).not.toContain('balance');
  expect(outcomes.at(-1)).toBe('project');
});

test('a moved key spends in its new project; what it spent before, and a call that runs, stay in the old one', async () => {
  const { spender } = await makeSpender(db, { balanceNanos: 1_000_000n });
  const [from, to] = [await makeProject(spender.workspaceId), await makeProject(spender.workspaceId)];
  const key = await makeKeyIn(spender, from);
  await spend(key, 100n);
  const running = await db.ledger.hold(key, 200n);
  expect(await move(key, to)).toMatchObject({ projectId: to });
  await db.ledger.settle(running, billOf(key, 200n));
  expect(await spend({ ...key, projectId: to }, 400n)).toBe(400n);
  expect([await spentIn(spender, from), await spentIn(spender, to)]).toEqual([300n, 400n]);
  expect(await projectsOfCalls(spender)).toEqual([from, from, to]);
});

test('keys that a key made move with it', async () => {
  const { spender } = await makeSpender(db, { balanceNanos: 1_000_000n });
  const project = await makeProject(spender.workspaceId);
  const { keyId } = await makeKeyIn(spender, project);
  const child = await makeKeyIn(spender, project, { parentId: keyId, ancestors: [keyId], inTree: true });
  expect(await move({ ...spender, keyId }, null)).toMatchObject({ projectId: null });
  await spend({ ...child, projectId: null }, 10n);
  expect(await projectsOfCalls(spender)).toEqual([null]);
});

test('a refund gives back to the project what it had counted', async () => {
  const { spender } = await makeSpender(db, { balanceNanos: 1_000_000n });
  const project = await makeProject(spender.workspaceId, 1_000n);
  const key = await makeKeyIn(spender, project);
  const bill = billOf(key, 600n);
  const held = await db.ledger.hold(key, 600n);
  await db.ledger.settle(held, bill);
  await db.ledger.posted();
  await db.pool.query('select ledger_refund($1, $2, 500)', [bill.requestId, held.id]);
  expect(await spentIn(spender, project)).toBe(0n);
});

test('the keys of an archived project get no hold, until it is restored', async () => {
  const { spender } = await makeSpender(db, { balanceNanos: 1_000_000n });
  const project = await makeProject(spender.workspaceId);
  const key = await makeKeyIn(spender, project);
  const rows = db.write(spender.workspaceId);
  await updateProject(rows, project, { change: { isArchived: true }, by });
  expect(await spend(key, 10n)).toBe('revoked');
  expect(await move(spender, project)).toBe('project_archived');
  await updateProject(rows, project, { change: { isArchived: false }, by });
  expect(await spend(key, 10n)).toBe(10n);
});

test('keys are placed in projects of their own workspace alone', async () => {
  const [{ spender }, { spender: other }] = [await makeSpender(db, {}), await makeSpender(db, {})];
  expect(await move(spender, await makeProject(other.workspaceId))).toBe('no_project');
});

test('a lowered ceiling binds at once what a process had taken to spend, of a project and of a key', async () => {
  const { spender } = await makeSpender(db, { balanceNanos: 1_000_000n });
  const project = await makeProject(spender.workspaceId);
  const [one, other] = [await makeKeyIn(spender, project), await makeKeyIn(spender, project)];
  for (const key of [one, other]) expect(await spend(key, 100n)).toBe(100n);
  const manager = { ...by, grantable: new Set(['llm', 'voice', 'batch']) };
  const ofKey = { change: { spendLimitNanos: 150n }, by: manager, defaults: DEFAULTS };
  await updateKey(db.write(spender.workspaceId), other.keyId, ofKey);
  await until(async () => (await spend(other, 1n)) === 'ceiling');
  await updateProject(db.write(spender.workspaceId), project, { change: { spendLimitNanos: 300n }, by });
  await until(async () => (await spend(one, 1n)) === 'project');
});
