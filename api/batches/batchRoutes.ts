import { textBody } from '../body/body.ts';
import { idempotent } from '../guard/idempotency.ts';
import { type Keyed, scope } from '../guard/key.ts';
import { steering } from '../guard/rate.ts';
import { textQuery } from '../body/textQuery.ts';
import { get, post, type Route } from '../http/router.ts';
import type { Services } from '../services.ts';
import { batchDocs } from './batchDocs.ts';
import { BatchListQuery, parseBatch } from './batchSchema.ts';
import { cancelBatch, createBatch, listBatches, retrieveBatch } from './batches.ts';

/** OpenAI's batches, at both addresses of the text family. */
export function batchRoutes(services: Services, keyed: Keyed): Route[] {
  const allowed = scope('batch');
  const creation = [...keyed(allowed, textBody(parseBatch)), idempotent(services.db, 'batch')];
  const list = keyed(allowed, textQuery(BatchListQuery));
  const free = keyed(allowed);
  return ['/textapi/v1', '/v1'].flatMap((prefix) => [
    post(`${prefix}/batches`, creation, createBatch(services), batchDocs.create),
    get(`${prefix}/batches`, list, listBatches(services), batchDocs.list),
    get(`${prefix}/batches/:batch_id`, free, retrieveBatch(services), batchDocs.retrieve),
    post(`${prefix}/batches/:batch_id/cancel`, keyed(allowed, steering), cancelBatch(services), batchDocs.cancel),
  ]);
}
