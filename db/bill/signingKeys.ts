import { createPrivateKey, generateKeyPairSync, sign } from 'node:crypto';
import type { ClientBase } from 'pg';
import type { SealingKeys } from '../sealing/sealingKeys.ts';
import { newId } from '../ids.ts';
import type { AnyRows } from '../postgres/rows.ts';

// Any number, the same everywhere.
const KEY_LOCK = 7_214;

/** A published key, as a JWK with its period of validity. */
export interface PublishedKey {
  kty: 'OKP';
  crv: 'Ed25519';
  alg: 'EdDSA';
  use: 'sig';
  kid: string;
  x: string;
  valid_from: string;
  /** When the next key replaced it; null for the current one. */
  valid_until: string | null;
}

/** Signs texts with the current key. */
export interface BillSigner {
  keyId: string;
  /** The signature in base64. */
  sign(text: string): string;
}

/** The current key; creates the first one. Throws an error that names the missing key of PLUGIN_SECRETS_KEY. */
export function openSigner(rows: AnyRows, keys: SealingKeys): Promise<BillSigner> {
  return rows.transaction(async (tx) => {
    // If two processes start at once, only one creates the first key.
    await tx.client.query('select pg_advisory_xact_lock($1)', [KEY_LOCK]);
    const newest = await tx.em.find(tx.BillKey, {}, { orderBy: { createdAt: 'desc' }, limit: 1 });
    const { id, sealedKey } = newest[0] ?? (await rotateBillKey(tx, keys));
    const der = Buffer.from(keys.open(sealedKey, id), 'base64');
    const key = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' });
    return { keyId: id, sign: (text) => sign(null, Buffer.from(text), key).toString('base64') };
  });
}

/** Creates the key that signs from now on. Earlier keys stay published, with the time of their end. */
export function rotateBillKey(rows: AnyRows, keys: SealingKeys): Promise<{ id: string; sealedKey: string }> {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  const id = newId('bk');
  const der = privateKey.export({ format: 'der', type: 'pkcs8' }).toString('base64');
  const row = { id, publicKey: publicKey.export({ format: 'jwk' }).x!, sealedKey: keys.seal(der, id) };
  return rows.transaction(async ({ em, BillKey, sql }) => {
    // Not the transaction's time: two rotations must follow each other.
    await em.insert(BillKey, { ...row, createdAt: sql`clock_timestamp()` });
    return row;
  });
}

/**
 * Creates a key unless one was created since then and sealed with the newest of `keys`, so that a repeated rotation does it once. Returns
 * whether it did.
 */
export function rotateBillKeyOnce(rows: AnyRows, keys: SealingKeys, since: Date): Promise<boolean> {
  return rows.transaction(async (tx) => {
    await tx.client.query('select pg_advisory_xact_lock($1)', [KEY_LOCK]);
    const [newest] = await tx.em.find(tx.BillKey, {}, { orderBy: { createdAt: 'desc' }, limit: 1 });
    if (!newest || (newest.createdAt > since && keys.isCurrent(newest.sealedKey))) return false;
    await rotateBillKey(tx, keys);
    return true;
  });
}

/** Every key that ever signed, oldest first. */
export const listBillKeys = (rows: AnyRows): Promise<PublishedKey[]> =>
  rows.statement(({ client }) => readBillKeys(client));

/** The same over a connection. */
export async function readBillKeys(client: Pick<ClientBase, 'query'>): Promise<PublishedKey[]> {
  const { rows: keys } = await client.query<{ id: string; public_key: string; created_at: Date }>(
    'select id, public_key, created_at from bill_keys order by created_at',
  );
  return keys.map(({ id, public_key, created_at }, at) => ({
    kty: 'OKP',
    crv: 'Ed25519',
    alg: 'EdDSA',
    use: 'sig',
    kid: id,
    x: public_key,
    valid_from: created_at.toISOString(),
    valid_until: keys[at + 1]?.created_at.toISOString() ?? null,
  }));
}
