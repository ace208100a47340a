import { afterAll, expect, test as plainTest } from '@jest/globals';
import { exportAudits } from '../../activities/exportAudits.ts';
import { listDueExports, PLATFORM, readAuditExport, saveAuditExport } from '../../db/auditExports/auditExports.ts';
import { newId } from '../../db/ids.ts';
import { createObjectStore } from '../../db/objects/objectStore.ts';
import { createSealingKey, parseSealingKeys } from '../../db/sealing/sealingKeys.ts';
import { openSecretBox } from '../../db/sealing/secretBox.ts';
import { audit } from '../../db/workspaces/audit.ts';
import { makeAccount } from '../support/account.ts';
import { setTestDatabase } from '../support/database.ts';
import { testWhen } from '../support/needs.ts';
import { startObjectServer } from '../support/objectServer.ts';
import { productGlobal } from '../support/productRealm.ts';
import { until } from '../support/until.ts';
import { startSite } from '../tools/webStage.ts';

const db = await setTestDatabase();
const server = await startObjectServer();
const test = testWhen(server, 'a store that speaks S3: Python with pip');
const url = server?.url ?? '';

const secrets = await openSecretBox(db.everywhere, parseSealingKeys(createSealingKey()));
afterAll(async () => {
  await db.close();
  await server?.close();
});

const by = { keyId: 'system', requestId: 'of the test' };
const HOUR_MS = 3_600_000;
const WATCHED = { onProgress: () => {}, onFailure: () => {} };

/** A workspace whose audit has entries at these hours before the present one, and goes to the store from `from` hours ago. */
async function workspaceWith(hoursAgo: number[], { from = 4, to = url } = {}) {
  const { workspaceId } = await makeAccount(db);
  const hour = Math.floor(Date.now() / HOUR_MS) * HOUR_MS;
  const at = (ago: number, ms = 0) => new Date(hour - ago * HOUR_MS + ms);
  const save = (address: string) =>
    saveAuditExport(db.write(workspaceId), workspaceId, {
      url: address,
      target: 'https://store.test/files',
      period: 'hour',
      by,
    });
  await save(to);
  await db.pool.query('update audit_exports set exported_until = $2 where workspace_id = $1', [workspaceId, at(from)]);
  for (const [number, ago] of hoursAgo.entries())
    await db.pool.query(
      `insert into audit_entries (id, workspace_id, key_id, action, subject_type, subject_id, detail, request_id, created_at)
       values ($1, $2, 'system', $3, 'test', 'x', '{}', '', $4)`,
      [newId('aud'), workspaceId, `act_${number}`, at(ago, 1 + number)],
    );
  const export_ = () => exportAudits(db.everywhere, { secrets, allowPrivate: 'loopback' }, WATCHED);
  const state = async () => (await readAuditExport(db.everywhere, workspaceId))!;
  const nameAt = (ago: number) =>
    `audit/${workspaceId}/${at(ago).toISOString().slice(0, 13).replaceAll(/[-T]/g, '/')}-0001.jsonl`;
  const read = async (ago: number) => {
    const text = await readAll(nameAt(ago));
    return text
      .split('\n')
      .filter(Boolean)
      .map((line) => (JSON.parse(line) as { action: string }).action);
  };
  return { workspaceId, at, save, export: export_, state, nameAt, read };
}

/** The whole text of an object: more is asked for than there is, so the reading ends with a refusal. */
async function readAll(name: string): Promise<string> {
  const store = createObjectStore({ url, takesNew: false }, { tries: 1 });
  const parts: Uint8Array[] = [];
  try {
    for await (const part of store.read(name, { from: 0, to: 1_000_000 })) parts.push(part);
  } catch (error) {
    if (parts.length === 0) throw error;
  }
  return Buffer.concat(parts).toString();
}

test('each hour that has settled becomes one object, and a repeated export writes nothing else', async () => {
  const one = await workspaceWith([3, 3, 2, 0]);
  expect(await one.export()).toBeGreaterThanOrEqual(3);
  expect(await one.read(3)).toEqual(['act_0', 'act_1']);
  expect(await one.read(2)).toEqual(['act_2']);
  const state = await one.state();
  expect(state).toMatchObject({ lastError: null, lastEntries: 1, lastObject: one.nameAt(2) });
  expect(state.exportedUntil.getTime()).toBeGreaterThanOrEqual(one.at(1).getTime());
  await db.pool.query('update audit_exports set exported_until = $2 where workspace_id = $1', [
    one.workspaceId,
    one.at(4),
  ]);
  await one.export();
  expect(await one.read(3)).toEqual(['act_0', 'act_1']);
});

test('a store that refuses is told of without its credentials, and the export goes on where it was', async () => {
  const wrong = url.replace(/:\/\/[^@]+@/, '://nobody:wrong@');
  const one = await workspaceWith([2], { from: 3, to: wrong });
  await one.export();
  const failed = await one.state();
  expect(failed.lastError).toMatch(/403/);
  expect(failed.lastError).not.toMatch(/wrong|nobody/);
  // The hour before had no entries.
  expect(failed.exportedUntil).toEqual(one.at(2));
  await one.save(url);
  await one.export();
  expect(await one.read(2)).toEqual(['act_0']);
  expect((await one.state()).lastError).toBeNull();
});

plainTest('an export begins with the hour of its own entry, whatever the clock of the API says', async () => {
  const { workspaceId } = await makeAccount(db);
  const { Date: Real } = productGlobal;
  class Ahead extends Real {
    constructor(...given: [value?: number]) {
      super(given.length === 0 ? Real.now() + HOUR_MS : given[0]!);
    }
  }
  productGlobal.Date = Ahead as DateConstructor;
  const choice = { url: 'https://store.test/files', target: 'https://store.test/files', period: 'hour' as const, by };
  await saveAuditExport(db.write(workspaceId), workspaceId, choice).finally(() => (productGlobal.Date = Real));
  const { rows } = await db.pool.query(
    `select e.exported_until <= a.created_at as holds from audit_exports e join audit_entries a using (workspace_id)
     where workspace_id = $1 and a.action = 'add_audit_export'`,
    [workspaceId],
  );
  expect(rows).toEqual([{ holds: true }]);
  await db.pool.query('delete from audit_exports where workspace_id = $1', [workspaceId]);
});

plainTest('a store on a private address is not called, and its address is sealed', async () => {
  const one = await workspaceWith([2], { from: 3, to: 'https://KEY:SECRET@127.0.0.1:1/files' });
  await exportAudits(db.everywhere, { secrets, allowPrivate: false }, WATCHED);
  const state = await one.state();
  expect(state.lastError).toContain('no public address');
  expect(JSON.stringify(state)).not.toContain('SECRET');
});

plainTest('stores that do not answer hold up no other one, and come after it', async () => {
  const written = Promise.withResolvers<void>();
  const asked: string[] = [];
  const site = await startSite(({ url: path, headers }, response) => {
    asked.push(path!.split('/')[1]!);
    if (!headers.authorization!.includes('SILENT')) response.end(() => written.resolve());
  });
  const at = (name: string) => `http://${name}:x@127.0.0.1:${site.port}/${name}`;
  const silent = [await workspaceWith([3], { to: at('SILENT1') }), await workspaceWith([3], { to: at('SILENT2') })];
  const good = await workspaceWith([2], { from: 3, to: at('GOOD') });
  const exporting = silent[0]!.export();
  await written.promise;
  await until(async () => (await good.state()).exportedUntil >= good.at(1));
  await until(() => ['SILENT1', 'SILENT2'].every((name) => asked.includes(name)));
  expect((await Promise.all(silent.map((one) => one.state()))).map(({ lastError }) => lastError)).toEqual([null, null]);
  await site.stop();
  await exporting;
  const failed = await Promise.all(silent.map((one) => one.state()));
  expect(failed.map(({ lastError }) => lastError)).not.toContain(null);
  // The next ones that are due: those that waited longest are first.
  await db.pool.query(
    `update audit_exports set tried_at = now() - interval '1 hour', exported_until = $2 where workspace_id = $1`,
    [good.workspaceId, good.at(2)],
  );
  await db.pool.query(`update audit_exports set tried_at = now() - interval '6 minutes' where workspace_id = any($1)`, [
    silent.map(({ workspaceId }) => workspaceId),
  ]);
  const due = (await listDueExports(db.everywhere)).map(({ workspaceId }) => workspaceId);
  expect(due.indexOf(good.workspaceId)).toBeLessThan(Math.min(...silent.map((one) => due.indexOf(one.workspaceId))));
});

plainTest('an endpoint that names the event gets each entry, and no secret', async () => {
  const { workspaceId } = await makeAccount(db);
  const events = async () =>
    (
      await db.pool.query<{ type: string; data: Record<string, unknown> }>(
        `select type, data from platform_events where workspace_id = $1 and type like 'audit.%'`,
        [workspaceId],
      )
    ).rows;
  const subject = { subjectType: 'api_key', subjectId: 'key_x' };
  const note = (detail: object) =>
    db.everywhere.transaction((tx) => audit(tx, by, { workspaceId, action: 'create_key', ...subject, detail }));
  await note({});
  expect(await events()).toEqual([]);
  await db.pool.query(
    `insert into webhook_endpoints (id, workspace_id, url, event_types, secrets)
     values ($1, $2, 'https://siem.example', '{audit.entry_recorded}', '[]')`,
    [newId('we'), workspaceId],
  );
  await note({});
  expect(await events()).toEqual([
    {
      type: 'audit.entry_recorded',
      data: expect.objectContaining({ action: 'create_key', actor: expect.objectContaining({ type: 'platform' }) }),
    },
  ]);
});

test('the platform’s audit goes to the operators’ store: every workspace’s entries, with the people who did it', async () => {
  const { workspaceId } = await makeAccount(db);
  // An hour that ended long ago: the last one is not yet exported in the first minutes after it.
  const hour = Math.floor(Date.now() / HOUR_MS) * HOUR_MS - HOUR_MS;
  const target = { url, target: 'https://store.test/files', period: 'hour' as const, by };
  await saveAuditExport(db.everywhere, PLATFORM, target);
  await db.pool.query('update audit_exports set exported_until = $2 where workspace_id = $1', [
    PLATFORM,
    new Date(hour - 2 * HOUR_MS),
  ]);
  await db.pool.query(
    `insert into users (id, name, email, email_verified, created_at, updated_at) values ('user_op', 'Olga', 'olga@example.com', true, now(), now())`,
  );
  for (const [nth, of] of [workspaceId, null].entries())
    await db.pool.query(
      `insert into audit_entries (id, workspace_id, key_id, user_id, action, subject_type, subject_id, detail, request_id, created_at)
       values ($1, $2, null, 'user_op', 'decide', 'run', 'run_x', '{"note": "paid twice"}', 'req_1', $3)`,
      [newId('aud'), of, new Date(hour - HOUR_MS + nth)],
    );
  await exportAudits(db.everywhere, { secrets, allowPrivate: 'loopback' }, WATCHED);
  const day = new Date(hour - HOUR_MS).toISOString().slice(0, 13).replaceAll(/[-T]/g, '/');
  const text = await readAll(`audit/platform/${day}-0001.jsonl`);
  const lines = text
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Record<string, unknown>);
  const actor = { type: 'person', id: 'user_op', name: 'Olga', email: 'olga@example.com' };
  expect(lines.filter(({ action }) => action === 'decide')).toMatchObject([
    { workspace_id: workspaceId, actor, detail: { note: 'paid twice' } },
    { workspace_id: null, actor, detail: { note: 'paid twice' } },
  ]);
});
