import { afterAll, expect, test } from '@jest/globals';
import { createSealingKey, parseSealingKeys } from '../../../db/sealing/sealingKeys.ts';
import { openSecretBox } from '../../../db/sealing/secretBox.ts';
import { newId } from '../../../db/ids.ts';
import { setAccountStage } from '../accounts/accountStage.ts';

const stage = await setAccountStage();
afterAll(() => stage.close());

interface Line {
  id: string;
  action: string;
  actor: { type: string; name: string | null; email: string | null };
  detail: object;
}

const linesIn = (text: string) =>
  text
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Line);

test('a workspace reads what its own people did, by filters, in pages and as JSON lines', async () => {
  const ada = await stage.person();
  for (const name of ['One', 'Two', 'Three']) await ada.post('keys', { name });
  const { body } = await ada.get<{ data: Line[]; next_cursor: string }>('audit_log?action=create_key&limit=2');
  expect(body.data.map(({ actor }) => actor)).toEqual([
    { type: 'person', id: ada.me.user.id, name: 'Ada Lovelace', email: ada.email },
    { type: 'person', id: ada.me.user.id, name: 'Ada Lovelace', email: ada.email },
  ]);
  const rest = await ada.get<{ data: Line[] }>(`audit_log?action=create_key&limit=2&cursor=${body.next_cursor}`);
  expect(new Set([...body.data, ...rest.body.data].map(({ id }) => id)).size).toBe(3);
  const [first] = body.data;
  expect((await ada.get<Line>(`audit_log/${first!.id}`)).body).toEqual(first);
  const other = await stage.person();
  for (const [reader, id, code] of [
    [other, first!.id, 'audit_entry_not_found'],
    [ada, 'aud_none', 'audit_entry_not_found'],
    [ada, 'nothing', 'validation_error'],
  ] as const)
    expect((await reader.get<object>(`audit_log/${id}`)).body).toMatchObject({ error: { code } });
  const { body: text, headers } = await ada.get<string>('audit_log/download?action=create_key');
  expect(headers.get('content-type')).toBe('application/x-ndjson');
  expect(linesIn(text).map(({ id }) => id)).toEqual([...body.data, ...rest.body.data].map(({ id }) => id).toReversed());
  expect(text).not.toMatch(/sk_live_/);
});

/** As many entries as `count`, made by one statement: `apart` is the time between two of them. */
const addEntries = (workspaceId: string, count: number, apart: string) =>
  stage.db.pool.query(
    `insert into audit_entries (id, workspace_id, action, subject_type, subject_id, request_id, created_at)
     select 'aud_' || $1 || n, $1, 'many', 'test', 'x', '', timestamptz '2026-03-01T10:00:00.000456Z' + n * $3::interval
     from generate_series(1, $2::int) n`,
    [workspaceId, count, apart],
  );

test('pages have each entry once, however close in time entries are', async () => {
  const ada = await stage.person();
  const { id } = ada.me.workspace;
  await addEntries(id, 5, '0');
  const seen: string[] = [];
  for (let cursor = ''; ;) {
    const { body } = await ada.get<{ data: Line[]; next_cursor: string | null }>(
      `audit_log?action=many&limit=2${cursor}`,
    );
    seen.push(...body.data.map((line) => line.id));
    if (body.next_cursor === null) break;
    cursor = `&cursor=${body.next_cursor}`;
  }
  expect(seen).toEqual([5, 4, 3, 2, 1].map((n) => `aud_${id}${n}`));
});

test('a download of many pages has each entry once', async () => {
  const ada = await stage.person();
  await addEntries(ada.me.workspace.id, 2_001, '1 ms');
  const lines = linesIn((await ada.get<string>('audit_log/download?action=many')).body);
  expect([lines.length, new Set(lines.map(({ id }) => id)).size]).toEqual([2_001, 2_001]);
});

test('what operators did is said to be of the platform, and other workspaces’ entries are not there', async () => {
  const [ada, bob] = [await stage.person(), await stage.person({ name: 'Bob Builder' })];
  await stage.db.pool.query(
    `insert into audit_entries (id, workspace_id, user_id, action, subject_type, subject_id, detail, request_id)
     values ($1, $2, $3, 'find_by_id', 'run', 'run_x', '{"note": "sk_live_something"}', '')`,
    [newId('aud'), ada.me.workspace.id, bob.me.user.id],
  );
  const { body } = await ada.get<{ data: Line[] }>('audit_log?action=find_by_id');
  expect(body.data).toMatchObject([{ actor: { type: 'platform', name: null, email: null }, detail: {} }]);
  expect((await bob.get<{ data: Line[] }>('audit_log?action=find_by_id')).body.data).toEqual([]);
});

test('credentials in an address are left out, its port is not', async () => {
  const ada = await stage.person();
  const urls = ['https://example.com:8443/hooks', 'https://ada:s%40cret@example.com:8443/x', 'whsec_abc sk_live_abc'];
  for (const [at, url] of urls.entries())
    await stage.db.pool.query(
      `insert into audit_entries (id, workspace_id, user_id, action, subject_type, subject_id, detail, request_id)
       values ($1, $2, $3, 'look', 'test', $4, $5, '')`,
      [newId('aud'), ada.me.workspace.id, ada.me.user.id, String(at), { url }],
    );
  const { body } = await ada.get<{ data: { subject_id: string; detail: { url: string } }[] }>('audit_log?action=look');
  const shown = Object.fromEntries(body.data.map(({ subject_id: at, detail: { url } }) => [at, url]));
  expect(shown).toEqual({ 0: urls[0], 1: '[removed]@example.com:8443/x', 2: '[removed] [removed]' });
});

test('an export keeps its credentials sealed, needs https, and ends', async () => {
  const ada = await stage.person();
  const put = (body: object) => ada.send<Record<string, unknown>>('PUT', '/console/v1/audit-export', body);
  const url = 'https://AKIAEXAMPLE:very%2Fsecret@s3.example.com/logs/ledgerline?region=eu-central-1';
  expect((await put({ url })).status).toBe(503);
  await openSecretBox(stage.db.everywhere, parseSealingKeys(createSealingKey()));
  expect(await put({ url, period: 'day' })).toMatchObject({
    status: 200,
    body: { target: 'https://s3.example.com/logs/ledgerline?region=eu-central-1', period: 'day', last_error: null },
  });
  for (const wrong of ['http://A:b@s3.example.com/logs', 'https://s3.example.com/logs', 'https://A:b@s3.example.com'])
    expect([wrong, (await put({ url: wrong })).status]).toEqual([wrong, 422]);
  const { rows } = await stage.db.pool.query('select * from audit_exports');
  expect(JSON.stringify(rows)).not.toMatch(/AKIAEXAMPLE|secret@/);
  const { body: text } = await ada.get<string>('audit_log/download');
  expect(text).toContain('add_audit_export');
  expect(text).not.toMatch(/AKIAEXAMPLE/);
  expect((await ada.send('DELETE', '/console/v1/audit-export')).status).toBe(200);
  expect((await ada.send('DELETE', '/console/v1/audit-export')).status).toBe(404);
});

test('operators alone export the platform’s audit, and theirs is not a workspace’s', async () => {
  const at = '/console/v1/platform/audit-export';
  const ada = await stage.person();
  const url = 'https://AKIAEXAMPLE:very%2Fsecret@s3.example.com/platform?region=eu-central-1';
  expect((await ada.send('PUT', at, { url })).status).toBe(403);
  await stage.db.pool.query('update users set is_operator = true where id = $1', [ada.me.user.id]);
  expect(await ada.send('PUT', at, { url })).toMatchObject({ status: 200, body: { period: 'hour' } });
  expect(await ada.send('GET', at)).toMatchObject({
    body: { export: { target: expect.stringContaining('/platform') } },
  });
  expect(await ada.send('GET', '/console/v1/audit-export')).toMatchObject({ body: { export: null } });
  const { body: text } = await ada.get<string>('audit_log/download');
  expect(text).not.toContain('add_audit_export');
  expect((await ada.send('DELETE', at)).status).toBe(200);
});
