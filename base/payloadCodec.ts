import type { Payload, PayloadCodec } from '@temporalio/common';
import { KEY_RINGS } from './keyRings.ts';
import { openBytes, sealBytes } from './sealedBytes.ts';
import { parseSecretKeys, type SecretKey } from './secretKeys.ts';

// The encoding name of Temporal's own codec samples, so that its tools recognise the payloads.
const ENCODING = 'binary/encrypted';
const VARIABLE = 'TEMPORAL_PAYLOAD_KEY';

/**
 * Encrypts what workflows and activities exchange through Temporal: its server, its pages and its backups hold only ciphertext. The first
 * key encrypts, later ones only decrypt; payloads written without a key stay readable.
 * @throws an error, without the keys, when they are no comma-separated list of 32 bytes in base64.
 */
export function createPayloadCodec(keysText: string): PayloadCodec {
  const keys = parseSecretKeys(keysText, { variable: VARIABLE, idPurpose: KEY_RINGS[VARIABLE] });
  const byId = new Map(keys.map((key) => [key.id, key]));
  return {
    encode: (payloads) => Promise.resolve(payloads.map((payload) => encrypt(keys[0]!, payload))),
    decode: async (payloads) => payloads.map((payload) => decryptWith(byId, payload)),
  };
}

/** A payload as JSON: metadata and data are bytes, which become base64. */
interface PlainPayload {
  metadata: Record<string, string>;
  data: string | null;
}

function encrypt({ id, bytes }: SecretKey, { metadata, data }: Payload): Payload {
  const plain: PlainPayload = {
    metadata: Object.fromEntries(Object.entries(metadata ?? {}).map(([name, value]) => [name, base64Of(value)])),
    data: data ? base64Of(data) : null,
  };
  return {
    metadata: { encoding: Buffer.from(ENCODING), 'encryption-key-id': Buffer.from(id) },
    data: sealBytes(bytes, JSON.stringify(plain)),
  };
}

function decryptWith(keys: ReadonlyMap<string, SecretKey>, payload: Payload): Payload {
  const { metadata, data } = payload;
  if (textOf(metadata?.encoding) !== ENCODING) return payload;
  const id = textOf(metadata?.['encryption-key-id']);
  const key = keys.get(id);
  if (!key)
    throw new Error(`a payload was encrypted with the key ${id}, which ${VARIABLE} lacks: add it behind a comma`);
  const plain = JSON.parse(openBytes(key.bytes, Buffer.from(data ?? [])).toString()) as PlainPayload;
  return {
    metadata: Object.fromEntries(
      Object.entries(plain.metadata).map(([name, value]) => [name, Buffer.from(value, 'base64')]),
    ),
    data: plain.data === null ? undefined : Buffer.from(plain.data, 'base64'),
  };
}

const base64Of = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64');
const textOf = (bytes: Uint8Array | null | undefined): string => Buffer.from(bytes ?? []).toString('utf8');
