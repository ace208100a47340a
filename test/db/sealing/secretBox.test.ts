import { afterAll, expect, test } from '@jest/globals';
import { createSealingKey, parseSealingKeys } from '../../../db/sealing/sealingKeys.ts';
import { openSecretBox, sealForWorker } from '../../../db/sealing/secretBox.ts';
import { newId } from '../../../db/ids.ts';
import { insertEndpoint, findEndpoint, resealSecrets } from '../../../db/webhooks/endpoints.ts';
import { makeAccount } from '../../support/account.ts';
import { setTestDatabase } from '../../support/database.ts';

const db = await setTestDatabase();
afterAll(() => db.close());
const [old, current] = [createSealingKey(), createSealingKey()];
const boxOf = (keys: string) => openSecretBox(db.everywhere, parseSealingKeys(keys));

test('nothing is sealed before a worker has published a key', async () => {
  expect(await sealForWorker(db.everywhere, 'whsec_1', 'we_1')).toBeUndefined();
});

test('the worker alone opens what the API sealed, for its own row', async () => {
  const box = await boxOf(old);
  const sealed = (await sealForWorker(db.everywhere, 'whsec_1', 'we_1'))!;
  expect(sealed).not.toContain('whsec');
  expect(await sealForWorker(db.everywhere, 'whsec_1', 'we_1')).not.toBe(sealed);
  expect(box.open(sealed, 'we_1')).toBe('whsec_1');
  expect(() => box.open(sealed, 'we_2')).toThrow();
  expect(() => box.open(`${sealed.slice(0, -4)}AAAA`, 'we_1')).toThrow();
  const { rows } = await db.pool.query('select public_key from webhook_keys');
  expect(Buffer.from(rows[0].public_key as string, 'base64url')).toHaveLength(32);
});

test('after a rotation the API seals for the new key, and the old one still opens what it sealed', async () => {
  const sealed = (await sealForWorker(db.everywhere, 'whsec_old', 'we_1'))!;
  const box = await boxOf(`${current},${old}`);
  const later = (await sealForWorker(db.everywhere, 'whsec_new', 'we_1'))!;
  expect(later.split('.')[0]).not.toBe(sealed.split('.')[0]);
  expect([box.open(sealed, 'we_1'), box.open(later, 'we_1')]).toEqual(['whsec_old', 'whsec_new']);
  const other = await boxOf(createSealingKey());
  expect(() => other.open(sealed, 'we_1')).toThrow('which PLUGIN_SECRETS_KEY does not hold');
});

test('a worker that starts with a new key first seals the secrets of endpoints for it', async () => {
  const { workspaceId } = await makeAccount(db);
  await boxOf(old);
  const by = { keyId: null, requestId: newId('req') };
  const chosen = { url: 'https://example.com/', eventTypes: [], description: null, disabled: false };
  const made = await insertEndpoint(db.write(workspaceId), { id: 'we_1', by, ...chosen });
  expect(await resealSecrets(db.everywhere, await boxOf(old))).toBe(0);
  expect(await resealSecrets(db.everywhere, await boxOf(createSealingKey()))).toBe(0);
  expect(await resealSecrets(db.everywhere, await boxOf(`${current},${old}`))).toBe(1);
  const box = await boxOf(current);
  expect(await resealSecrets(db.everywhere, box)).toBe(0);
  const { secrets } = (await findEndpoint(db.write(workspaceId), 'we_1'))!;
  expect(made).toMatchObject({ secret: box.open(secrets[0]!.sealed, 'we_1') });
});
