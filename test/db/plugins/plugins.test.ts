import { afterAll, beforeEach, describe, expect, test } from '@jest/globals';
import { readPlugins, registerPlugin, sealPlugins } from '../../../db/plugins/plugins.ts';
import { createSealingKey, parseSealingKeys } from '../../../db/sealing/sealingKeys.ts';
import { checkInvariants } from '../../../db/invariants/invariants.ts';
import { setTestDatabase } from '../../support/database.ts';

const canary = 'Bearer canary-7f3a';
const [firstKey, secondKey] = [createSealingKey(), createSealingKey()];
const keys = parseSealingKeys(firstKey);
const search = { id: 'search', version: '1.0', name: 'Search', url: 'https://tools.example/mcp' };
const wanted = [{ plugin_id: 'search', version: '1.0' }];

const db = await setTestDatabase();
beforeEach(async () => {
  await db.pool.query('delete from plugins');
});
afterAll(() => db.close());

const register = (headers: Record<string, string>, id = 'search') =>
  registerPlugin(db.everywhere, keys, { ...search, id, headers });
const rows = async () => JSON.stringify((await db.pool.query('select * from plugins')).rows);
const plant = (headers: object) =>
  db.pool.query(`insert into plugins (id, version, name, url, headers) values ('search', '1.0', 'Search', $1, $2)`, [
    search.url,
    JSON.stringify(headers),
  ]);

describe('credentials of plugins', () => {
  test('are encrypted in the table, differently each time, and decrypted for the calling process', async () => {
    await register({ authorization: canary });
    const first = await rows();
    expect(first).not.toContain('canary');
    expect(first).not.toContain(Buffer.from(canary).toString('base64').slice(0, 12));
    expect(await readPlugins(db.everywhere, keys, wanted)).toEqual([
      { id: 'search', version: '1.0', url: search.url, headers: { authorization: canary }, secrets: [] },
    ]);
    await register({ authorization: canary });
    expect(await rows()).not.toBe(first);
    expect((await checkInvariants(db.pool)).violations).toEqual([]);
  });

  test('are decrypted by an older key after the first one, and by no other', async () => {
    await register({ authorization: canary });
    const rotated = parseSealingKeys(`${secondKey},${firstKey}`);
    expect(await readPlugins(db.everywhere, rotated, wanted)).toMatchObject([{ headers: { authorization: canary } }]);
    expect(await sealPlugins(db.everywhere, rotated)).toBe(0);
    const lost = readPlugins(db.everywhere, parseSealingKeys(secondKey), wanted);
    await expect(lost).rejects.toThrow(
      /^the header authorization of the plugin search 1.0: it was sealed with the key [0-9a-f]{8}, which PLUGIN_SECRETS_KEY does not hold/,
    );
    expect(await sealPlugins(db.everywhere, rotated, { isRotation: true })).toBe(1);
    expect(await readPlugins(db.everywhere, parseSealingKeys(secondKey), wanted)).toHaveLength(1);
  });

  test('cannot be decrypted in another row, under another header, or when changed', async () => {
    await register({ authorization: canary });
    await register({ authorization: 'x' }, 'other');
    await db.pool.query(
      `update plugins set headers = (select headers from plugins where id = 'search') where id = 'other'`,
    );
    const moved = readPlugins(db.everywhere, keys, [{ plugin_id: 'other', version: '1.0' }]);
    await expect(moved).rejects.toThrow(/it is not what the key [0-9a-f]{8} sealed: register the plugin again/);
    await db.pool.query(`update plugins set headers = jsonb_build_object('x-key', headers -> 'authorization')`);
    await expect(readPlugins(db.everywhere, keys, wanted)).rejects.toThrow('the header x-key of the plugin search 1.0');
    for (const sealed of ['', 'v1', `v1.${'0'.repeat(8)}.AAAA`, keys.seal('x', '[]').slice(0, 20)]) {
      await db.pool.query('update plugins set headers = $1', [JSON.stringify({ authorization: { sealed } })]);
      await expect(readPlugins(db.everywhere, keys, wanted)).rejects.toThrow('register the plugin again');
    }
  });

  test('that an earlier version stored as plain text are reported, still work, and are encrypted once', async () => {
    await plant({ authorization: canary, 'x-team': 'a' });
    expect((await checkInvariants(db.pool)).violations).toEqual([
      { rule: 'the credentials of plugins are sealed', detail: 'plugin search 1.0 header x-team' },
      { rule: 'the credentials of plugins are sealed', detail: 'plugin search 1.0 header authorization' },
    ]);
    const opened = await readPlugins(db.everywhere, keys, wanted);
    expect(opened).toMatchObject([{ headers: { authorization: canary, 'x-team': 'a' } }]);
    expect(await sealPlugins(db.everywhere, keys)).toBe(1);
    expect(await rows()).not.toContain('canary');
    expect(await readPlugins(db.everywhere, keys, wanted)).toEqual(opened);
    expect(await sealPlugins(db.everywhere, keys)).toBe(0);
    expect((await checkInvariants(db.pool)).violations).toEqual([]);
  });
});
