import { afterAll, describe, expect, test } from '@jest/globals';
import { createKey } from '../../../db/keys/keyStore.ts';
import { appendEvents, type NewEvent } from '../../../db/events/appendEvents.ts';
import { recordEvent } from '../../../db/events/platformEvents.ts';
import { makeAccount } from '../../support/account.ts';
import { getJson } from '../../support/http.ts';
import { makeRun } from '../../support/run.ts';
import { storeCalls, withOwner } from '../../support/pastCalls.ts';
import { setStage } from '../platform/stage.ts';

const stage = await setStage();
const account = await makeAccount(stage.db, { creditUsd: '10' });
afterAll(() => stage.close());

interface Results {
  data: { object: string; id: string; name: string; created_at: string }[];
}

const ask = (text: string, key = account.secret) =>
  getJson<Results>(`${stage.api.url}/platform/v1/search?query=${encodeURIComponent(text)}`, key);
const find = async (text: string, key = account.secret) =>
  (await ask(text, key)).body.data.map(({ object, id, name }) => [object, id, name]);

const keyWith = (scopes: string[], name = 'narrow') =>
  createKey(stage.db.everywhere, { workspaceId: account.workspaceId, name, scopes });

describe('GET /platform/v1/search', () => {
  test('refuses a caller without a key, and a request without a text', async () => {
    expect((await getJson(`${stage.api.url}/platform/v1/search?query=one`)).status).toBe(401);
    expect((await ask(' ')).status).toBe(422);
    expect((await ask('a'.repeat(201))).status).toBe(422);
  });

  test('finds a call by its id and by the id of its answer', async () => {
    const { workspaceId, keyId } = account;
    const at = '2026-03-05T10:20:30.500Z';
    const [id] = await storeCalls(stage.databaseUrl, [{ at, workspaceId, keyId }]);
    expect((await ask(id!)).body.data).toEqual([{ object: 'request', id, name: 'model-a', created_at: at }]);
    expect(await find(id!.replace('req_', 'chatcmpl-'))).toEqual([['request', id, 'model-a']]);
  });

  test('finds a refused call', async () => {
    const { requestId } = await stage.ask(account.secret, 'Hello', { model: 'no-such-model' });
    expect(await find(requestId)).toEqual([['request', requestId, 'no-such-model']]);
  });

  test('finds a run and a session, for a key that may run agents', async () => {
    const { id: run } = await makeRun(stage.db, account);
    const session = 'ses_mwxia84bCcb8rEj5ZMhlfX';
    await withOwner(stage.databaseUrl, (owner) =>
      owner.query(`insert into sessions (id, workspace_id, title) values ($1, $2, 'Batch 2231')`, [
        session,
        account.workspaceId,
      ]),
    );
    expect(await find(run)).toEqual([['run', run, expect.stringContaining('/')]]);
    expect(await find(session)).toEqual([['session', session, 'Batch 2231']]);
    const speaking = await keyWith(['voice']);
    expect(await find(run, speaking.secret)).toEqual([]);
    expect(await find(session, speaking.secret)).toEqual([]);
  });

  test('finds a file, for a key that may read its purpose', async () => {
    const ids = { agent_output: 'file_mwxia84bCcb8rEj5ZMhlfA', batch_output: 'file_mwxia84bCcb8rEj5ZMhlfB' };
    for (const [purpose, id] of Object.entries(ids))
      await withOwner(stage.databaseUrl, (owner) =>
        owner.query(
          `insert into files (id, workspace_id, purpose, filename, media_type, size_bytes, sha256)
           values ($1, $2, $3, 'salaries.csv', 'text/csv', 0, '')`,
          [id, account.workspaceId, purpose],
        ),
      );
    const seenBy = async (scopes: string[]) => {
      const { secret } = await keyWith(scopes);
      const found = await Promise.all(Object.values(ids).map((id) => find(id, secret)));
      return found.flat().map(([, id]) => id);
    };
    expect(await seenBy(['llm', 'batch'])).toEqual(Object.values(ids));
    expect(await seenBy(['llm'])).toEqual([ids.agent_output]);
    expect(await seenBy(['agents'])).toEqual([ids.agent_output]);
    expect(await seenBy(['batch'])).toEqual([ids.batch_output]);
    expect(await seenBy(['voice'])).toEqual([]);
  });

  test('finds keys by id, by the beginning of their secret, and by a part of their names', async () => {
    const { id, secret } = await keyWith(['llm'], 'Warehouse 100%_line');
    const found = [['api_key', id, 'Warehouse 100%_line']];
    for (const text of [id, secret.slice(0, 12), 'warehouse', '100%_l']) expect(await find(text)).toEqual(found);
    expect(await find('100%xl')).toEqual([]);
    expect((await ask(secret)).status).toBe(422);
  });

  test('finds an entry of the ledger', async () => {
    const { body } = await getJson<{ data: { id: string; type: string }[] }>(
      `${stage.api.url}/platform/v1/billing/ledger`,
      account.secret,
    );
    const { id } = body.data.at(-1)!;
    expect(await find(id)).toEqual([['ledger_entry', id, expect.any(String)]]);
  });

  test('finds an event, for a key that may read it', async () => {
    const { id: run } = await makeRun(stage.db, account);
    const started: NewEvent[] = [{ type: 'run.in_progress', data: {} }];
    const { id: ofRun } = await stage.db.everywhere.transaction(({ client }) => appendEvents(client, run, started));
    const low = { type: 'balance.low', resourceType: 'workspace', resourceId: account.workspaceId, data: {} } as const;
    const ofMoney = await stage.db.everywhere.transaction((tx) => recordEvent(tx, account.workspaceId, low));
    const seenBy = async (scopes: string[]) => {
      const { secret } = await keyWith(scopes);
      const found = await Promise.all([ofRun, ofMoney].map((id) => find(id, secret)));
      return found.flat().map(([, id]) => id);
    };
    expect(await seenBy(['manage'])).toEqual([ofRun, ofMoney]);
    expect(await seenBy(['agents'])).toEqual([ofRun]);
    expect(await seenBy(['publisher'])).toEqual([]);
    expect(await seenBy(['voice'])).toEqual([]);
  });

  test('finds nothing of another workspace', async () => {
    const { id: run } = await makeRun(stage.db, account);
    const other = await makeAccount(stage.db);
    const { body } = await getJson<{ data: { id: string }[] }>(
      `${stage.api.url}/platform/v1/billing/ledger`,
      account.secret,
    );
    for (const text of [run, account.keyId, account.secret.slice(0, 12), body.data[0]!.id, 'Warehouse'])
      expect((await find(text, other.secret)).filter(([, id]) => id !== other.keyId)).toEqual([]);
  });

  test('has at most five of a kind', async () => {
    for (let at = 0; at < 7; at += 1) await keyWith(['llm'], `crowd ${at}`);
    expect(await find('crowd')).toHaveLength(5);
  });
});
