import { afterAll, expect, test } from '@jest/globals';
import { createKey, revokeKey } from '../../../db/keys/keyStore.ts';
import { until } from '../../support/until.ts';
import { setAccountStage, type AccountStage } from '../accounts/accountStage.ts';

const stage = await setAccountStage();
afterAll(() => stage.close());

type Person = Awaited<ReturnType<AccountStage['person']>>;

/** A member's stream of events; `isOver` when the server has ended it. */
async function open(ada: Person) {
  const cookie = [...ada.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  const leaving = new AbortController();
  const url = `${stage.api.url}/console/v1/events/stream`;
  const response = await fetch(url, { headers: { cookie }, signal: leaving.signal });
  expect(response.status).toBe(200);
  const stream = { isOver: false, leave: () => leaving.abort() };
  void response.text().then(
    () => (stream.isOver = true),
    () => undefined,
  );
  return stream;
}

/** A key's change has every process look, as the clock does twice a minute. */
async function look({ me }: Person): Promise<void> {
  const workspaceId = me.workspace.id;
  const { id } = await createKey(stage.db.everywhere, { workspaceId, name: 'Other', scopes: ['llm'] });
  await revokeKey(stage.db, id);
}

const CHANGES: [string, string][] = [
  ['was ended', 'delete from user_sessions where user_id = $1'],
  ['has expired', `update user_sessions set expires_at = now() where user_id = $1`],
  ['belongs to another role now', `update members set role = 'finance' where user_id = $1`],
  ['is too old for its workspace', agedBy('session_minutes')],
  ['was unused for too long', agedBy('idle_minutes')],
];

function agedBy(column: string): string {
  return `with old as (update user_sessions set created_at = now() - interval '1 hour', used_at = null where user_id = $1)
    insert into session_rules (workspace_id, ${column}) select workspace_id, 30 from members where user_id = $1`;
}

test.each(CHANGES)('a stream of events ends with its session that %s', async (_name, sql) => {
  const [ada, bob] = [await stage.person(), await stage.person({ name: 'Bob Builder' })];
  const [ofAda, ofBob] = [await open(ada), await open(bob)];
  await look(bob);
  await stage.db.pool.query(sql, [ada.me.user.id]);
  await until(async () => {
    await look(bob);
    return ofAda.isOver;
  });
  expect(ofBob.isOver).toBe(false);
  ofBob.leave();
});
