import { afterAll, expect, test } from '@jest/globals';
import { newId } from '../../../db/ids.ts';
import { checkInvariants } from '../../../db/invariants/invariants.ts';
import { createKey } from '../../../db/keys/keyStore.ts';
import { updateKey } from '../../../db/keys/manageKeys.ts';
import { insertProject, updateProject } from '../../../db/projects/projects.ts';
import { setTestDatabase } from '../../support/database.ts';
import { billOf, makeSpender } from '../../support/ledger.ts';

const db = await setTestDatabase();
afterAll(() => db.close());

const by = { keyId: null, requestId: 'req_test', grantable: new Set(['llm']) };
const defaults = { rpm: 60, concurrency: 10 };

const brokenRules = async (): Promise<string[]> => {
  await db.ledger.posted();
  return (await checkInvariants(db.pool)).violations.map(({ rule }) => rule).toSorted();
};

test.each(['daily', 'monthly', null] as const)(
  'a ceiling may be set below what was spent and is held (%s); without a change, the check finds that',
  async (spendLimitPeriod) => {
    const limit = { spendLimitNanos: 1_000n, spendLimitPeriod };
    const { spender } = await makeSpender(db, { balanceNanos: 1_000_000n });
    const { workspaceId, accountId } = spender;
    const projectId = newId('proj');
    await insertProject(db.write(workspaceId), { id: projectId, by, name: 'One', ...limit });
    const { id: keyId } = await createKey(db.everywhere, {
      workspaceId,
      name: 'key',
      scopes: ['llm'],
      projectId,
      ...limit,
    });
    const key = { keyId, workspaceId, accountId, projectId };
    await db.ledger.settle(await db.ledger.hold(key, 400n), billOf(key, 400n));
    const open = await db.ledger.hold(key, 300n);
    await updateKey(db.write(workspaceId), keyId, { change: { spendLimitNanos: 100n }, by, defaults });
    await updateProject(db.write(workspaceId), projectId, { change: { spendLimitNanos: 100n }, by });
    expect(await brokenRules()).toEqual([]);

    await db.pool.query('update api_keys set limit_changed_at = null where id = $1', [keyId]);
    await db.pool.query('update projects set limit_changed_at = null where id = $1', [projectId]);
    expect(await brokenRules()).toEqual([
      'a ceiling covers its holds',
      'a key stays below its ceiling',
      'a project stays below its ceiling, with what its calls hold',
    ]);

    const lastYear = "now() - interval '1 year'";
    await db.pool.query(`update api_keys set limit_changed_at = ${lastYear} where id = $1`, [keyId]);
    await db.pool.query(`update projects set limit_changed_at = ${lastYear} where id = $1`, [projectId]);
    expect((await brokenRules()).length).toBe(spendLimitPeriod === null ? 0 : 3);

    await db.ledger.settle(open, billOf(key, 300n));
    await db.pool.query('update api_keys set spend_limit_nanos = null, spend_limit_period = null where id = $1', [
      keyId,
    ]);
    await db.pool.query('update projects set spend_limit_nanos = null, spend_limit_period = null where id = $1', [
      projectId,
    ]);
  },
);
