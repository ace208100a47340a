import { LOG_DAYS_MAX } from '../../db/contents/contents.ts';
import type { RouteDoc } from '../http/documentedRoute.ts';
import { DeletedContent, DeletedContents, RequestContent } from './contentSchema.ts';

/** Documentation of the contents of calls. */
export const contentDocs = {
  retrieve: {
    tag: 'Contents',
    summary: 'Read what a request was asked and answered',
    description:
      'Kept only for keys with `log_days`, for that many days (at most ' +
      `${LOG_DAYS_MAX}), encrypted. Text calls, speech and transcriptions are kept; realtime sessions, runs of agents and ` +
      'batches are not: runs and batches have their own input and output. Each reading is in the audit. The scope ' +
      '`contents` is given to no key by default.',
    answer: { id: 'RequestContent', schema: RequestContent },
  },
  remove: {
    tag: 'Contents',
    summary: 'Delete what a request was asked and answered',
    description: 'The request itself stays, with its cost.',
    answer: { id: 'DeletedContent', schema: DeletedContent },
  },
  removeOfKey: {
    tag: 'Contents',
    summary: 'Delete all contents of a key',
    description:
      'What the calls of a key were asked and answered until now. Later calls are kept as its `log_days` says.',
    answer: { id: 'DeletedContents', schema: DeletedContents },
  },
} satisfies Record<string, RouteDoc>;
