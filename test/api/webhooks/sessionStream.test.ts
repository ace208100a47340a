import { afterAll, expect, test } from '@jest/globals';
import { createKey, revokeKey } from '../../../db/keys/keyStore.ts';
import { makeRun } from '../../support/run.ts';
import { until } from '../../support/until.ts';
import { setAccountStage, type AccountStage } from '../accounts/accountStage.ts';

const stage = await setAccountStage();
afterAll(() => stage.close());

type Person = Awaited<ReturnType<AccountStage['person']>>;

/** The streams of a member: of all events, and of one run that is open for as long as its caller lets it wait. */
async function openAll(person: Person) {
  const { id: workspaceId } = person.me.workspace;
  await stage.credit(workspaceId, '1');
  const sql = 'select id, account_id from api_keys where workspace_id = $1 and member_user_id = $2';
  const [key] = (await stage.db.pool.query<{ id: string; account_id: string }>(sql, [workspaceId, person.me.user.id]))
    .rows;
  const run = await makeRun(stage.db, { workspaceId, keyId: key!.id, accountId: key!.account_id });
  return Promise.all([open(person, 'events/stream'), open(person, `runs/${run.id}/events`)]);
}

/** A member's stream of events; `isOver` when the server has ended it. */
async function open(person: Person, path: string) {
  const cookie = [...person.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  const leaving = new AbortController();
  const url = `${stage.api.url}/console/v1/${path}`;
  const headers = { cookie, accept: 'text/event-stream' };
  const response = await fetch(url, { headers, signal: leaving.signal });
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

test.each(CHANGES)('streams of events, of all and of a run, end with their session that %s', async (_name, sql) => {
  const [ada, bob] = [await stage.person(), await stage.person({ name: 'Bob Builder' })];
  const [ofAda, ofBob] = [await openAll(ada), await openAll(bob)];
  await look(bob);
  await stage.db.pool.query(sql, [ada.me.user.id]);
  await until(async () => {
    await look(bob);
    return ofAda.every(({ isOver }) => isOver);
  });
  expect(ofBob.map(({ isOver }) => isOver)).toEqual([false, false]);
  for (const { leave } of ofBob) leave();
});
