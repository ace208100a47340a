import { body } from '../body/body.ts';
import { parseBody } from '../body/parseWith.ts';
import type { Keyed } from '../guard/key.ts';
import { get, post, remove, type Route } from '../http/router.ts';
import type { Services } from '../services.ts';
import { deriveKey, revokeDerivedKey } from './derivedKeys.ts';
import { DerivedKeyBody } from './keySchema.ts';
import { keyDocs } from './keyDocs.ts';
import { inspectKey, listKeys } from './keys.ts';

/** A key's view of itself and of the workspace's keys, and derived keys. */
export function keyRoutes(services: Services, keyed: Keyed): Route[] {
  const free = keyed();
  const derivation = keyed(body(parseBody(DerivedKeyBody)));
  return [
    get('/platform/v1/key', free, inspectKey(services), keyDocs.inspectKey),
    get('/platform/v1/keys', free, listKeys(services), keyDocs.listKeys),
    post('/platform/v1/keys/derive', derivation, deriveKey(services), keyDocs.deriveKey),
    remove('/platform/v1/keys/:key_id', free, revokeDerivedKey(services), keyDocs.revokeDerivedKey),
  ];
}
