import {
  createCipheriv,
  createDecipheriv,
  createPrivateKey,
  createPublicKey,
  diffieHellman,
  generateKeyPairSync,
  hkdfSync,
  type KeyObject,
} from 'node:crypto';
import type { SealingKeys } from './sealingKeys.ts';
import type { AnyRows, Rows } from '../postgres/rows.ts';

const PURPOSE = 'webhook secrets';
const CIPHER = 'aes-256-gcm';
const TAG_BYTES = 16;
// Each text has its own key, so its nonce may be constant.
const NONCE = Buffer.alloc(12);
const X25519_PRIVATE = Buffer.from('302e020100300506032b656e04220420', 'hex');
const X25519_PUBLIC = Buffer.from('302a300506032b656e032100', 'hex');
const PUBLIC_BYTES = 32;

/** Decrypts texts sealed by the API. */
export interface SecretOpener {
  /** Whether a value was sealed for the first key. */
  isCurrent(sealed: string): boolean;
  /** Whether one of the keys can open it. */
  canOpen(sealed: string): boolean;
  /** @throws an error that names the missing key, or reports a changed value. */
  open(sealed: string, owner: string): string;
}

/**
 * The worker's private keys, derived from the keys of PLUGIN_SECRETS_KEY. Publishes the first one's public key: with it the API seals
 * secrets that it cannot open itself.
 */
export async function openSecretBox(everywhere: Rows<undefined>, keys: SealingKeys): Promise<SecretOpener> {
  const privateKeys = new Map(keys.derive(PURPOSE).map(({ id, bytes }) => [id, privateKeyOf(bytes)]));
  const [id, current] = privateKeys.entries().next().value!;
  const publicKey = rawOf(createPublicKey(current)).toString('base64url');
  await everywhere.statement(({ client }) => client.query(PUBLISH, [id, publicKey]));
  return {
    isCurrent: (sealed) => sealed.startsWith(`${id}.`),
    canOpen: (sealed) => privateKeys.has(sealed.split('.')[0]!),
    open: (sealed, owner) => {
      const [keyId = '', sender = '', box = ''] = sealed.split('.');
      const key = privateKeys.get(keyId);
      if (!key) throw new Error(`it was sealed for the key ${keyId}, which PLUGIN_SECRETS_KEY does not hold`);
      const bytes = Buffer.from(box, 'base64url');
      const decipher = createDecipheriv(CIPHER, sharedKeyOf(key, publicKeyOf(sender)), NONCE);
      decipher.setAAD(Buffer.from(owner)).setAuthTag(bytes.subarray(0, TAG_BYTES));
      return Buffer.concat([decipher.update(bytes.subarray(TAG_BYTES)), decipher.final()]).toString('utf8');
    },
  };
}

const PUBLISH = `
insert into webhook_keys (id, public_key) values ($1, $2) on conflict (id) do update set used_at = now()`;

/**
 * Encrypts a text for the worker, with its last published key. `owner` identifies the row, so that a copy in another row cannot be
 * decrypted. Undefined when no worker has published a key yet.
 */
export async function sealForWorker(rows: AnyRows, text: string, owner: string): Promise<string | undefined> {
  const key = await rows.statement(({ em, WebhookKey }) =>
    em.find(WebhookKey, {}, { orderBy: { usedAt: 'desc' }, limit: 1 }),
  );
  if (!key[0]) return undefined;
  const { id, publicKey } = key[0];
  const sender = generateKeyPairSync('x25519');
  const cipher = createCipheriv(CIPHER, sharedKeyOf(sender.privateKey, publicKeyOf(publicKey)), NONCE);
  cipher.setAAD(Buffer.from(owner));
  const encrypted = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
  const box = Buffer.concat([cipher.getAuthTag(), encrypted]);
  return [id, rawOf(sender.publicKey).toString('base64url'), box.toString('base64url')].join('.');
}

/**
 * A text resealed for the worker's first key, if another of its keys sealed it. Undefined: it stays as it is. A changed or copied text is
 * reported on use; it must not stop a starting worker.
 */
export async function resealForWorker(
  rows: AnyRows,
  box: SecretOpener,
  { sealed, owner }: { sealed: string; owner: string },
): Promise<string | undefined> {
  if (box.isCurrent(sealed) || !box.canOpen(sealed)) return undefined;
  const text = textIn(box, sealed, owner);
  return text === undefined ? undefined : sealForWorker(rows, text, owner);
}

function textIn(box: SecretOpener, sealed: string, owner: string): string | undefined {
  try {
    return box.open(sealed, owner);
  } catch {
    return undefined;
  }
}

const sharedKeyOf = (privateKey: KeyObject, publicKey: KeyObject): Buffer =>
  Buffer.from(hkdfSync('sha256', diffieHellman({ privateKey, publicKey }), '', PURPOSE, 32));

const privateKeyOf = (bytes: Buffer): KeyObject =>
  createPrivateKey({ key: Buffer.concat([X25519_PRIVATE, bytes]), format: 'der', type: 'pkcs8' });

const publicKeyOf = (raw: string): KeyObject =>
  createPublicKey({ key: Buffer.concat([X25519_PUBLIC, Buffer.from(raw, 'base64url')]), format: 'der', type: 'spki' });

const rawOf = (key: KeyObject): Buffer => key.export({ format: 'der', type: 'spki' }).subarray(-PUBLIC_BYTES);
