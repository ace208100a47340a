import { scope, type Keyed } from '../guard/key.ts';
import { get, remove, type Route } from '../http/router.ts';
import type { Services } from '../services.ts';
import { contentDocs } from './contentDocs.ts';
import { deleteContent, deleteContentsOfKey, retrieveContent } from './contents.ts';

/** The routes of the contents of calls. */
export function contentRoutes(services: Services, keyed: Keyed): Route[] {
  const reader = keyed(scope('contents'));
  const one = '/platform/v1/requests/:request_id/content';
  const ofKey = '/platform/v1/keys/:key_id/contents';
  return [
    get(one, reader, retrieveContent(services), contentDocs.retrieve),
    remove(one, reader, deleteContent(services), contentDocs.remove),
    remove(ofKey, reader, deleteContentsOfKey(services), contentDocs.removeOfKey),
  ];
}
