import { body, optionalBody } from '../body/body.ts';
import { parseWith, query } from '../body/parseWith.ts';
import { scope, type Keyed } from '../guard/key.ts';
import { memberOr, recentLogin } from '../guard/session.ts';
import { get, patch, post, remove, type Route } from '../http/router.ts';
import type { Services } from '../services.ts';
import { KeyChangeBody, ManagedKeyQuery, NewKeyBody, RotationBody } from './keySchema.ts';
import { managedKeyDocs } from './keyDocs.ts';
import {
  changeManagedKey,
  createManagedKey,
  listManagedKeys,
  retrieveKeyImpact,
  revokeManagedKey,
  rotateManagedKey,
} from './managedKeys.ts';

/** The routes of key management. */
export function managedKeyRoutes(services: Services, keyed: Keyed): Route[] {
  const reader: Keyed = (...checks) => keyed(memberOr('manage'), ...checks);
  const manager: Keyed = (...checks) => keyed(scope('manage'), ...checks);
  const creation = manager(recentLogin, body(parseWith(NewKeyBody, 'body')));
  const change = manager(body(parseWith(KeyChangeBody, 'body')));
  const rotation = manager(recentLogin, optionalBody(parseWith(RotationBody, 'body')));
  const keys = '/console/v1/keys';
  const one = `${keys}/:key_id`;
  return [
    get(keys, reader(query(ManagedKeyQuery)), listManagedKeys(services), managedKeyDocs.list),
    post(keys, creation, createManagedKey(services), managedKeyDocs.create),
    patch(one, change, changeManagedKey(services), managedKeyDocs.change),
    post(`${one}/rotate`, rotation, rotateManagedKey(services), managedKeyDocs.rotate),
    remove(one, manager(), revokeManagedKey(services), managedKeyDocs.revoke),
    get(`${one}/impact`, reader(), retrieveKeyImpact(services), managedKeyDocs.impact),
  ];
}
