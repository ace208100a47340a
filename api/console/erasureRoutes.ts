import { body } from '../body/body.ts';
import { parseWith } from '../body/parseWith.ts';
import type { Keyed } from '../guard/key.ts';
import { owner, recentLogin } from '../guard/session.ts';
import { get, post, remove, type Route } from '../http/router.ts';
import type { Services } from '../services.ts';
import { createErasure, removeErasure, retrieveErasure } from './erasure.ts';
import { ErasureBody } from './consoleSchema.ts';
import { erasureDocs } from './erasureDocs.ts';
import { sendExport } from './export.ts';

/** The routes of a workspace's export and erasure. */
export function erasureRoutes(services: Services, keyed: Keyed): Route[] {
  const about = erasureDocs;
  const at = '/console/v1/erasure';
  const order = keyed(owner, recentLogin, body(parseWith(ErasureBody, 'body')));
  return [
    get(at, keyed(), retrieveErasure(services), about.retrieve),
    post(at, order, createErasure(services), about.order),
    remove(at, keyed(owner), removeErasure(services), about.cancel),
    get('/console/v1/export', keyed(owner, recentLogin), sendExport(services), about.export),
  ];
}
