import type { RouteDoc } from '../http/documentedRoute.ts';
import { ClientList, ClientPackage } from './clientSchema.ts';

/** Documentation of the packages for customers. */
export const clientDocs = {
  list: {
    tag: 'Service',
    summary: 'List the clients to install',
    description: 'The packages of this version for TypeScript, with the command line, and for Python. Needs no key.',
    answer: { id: 'ClientList', schema: ClientList, parts: [{ id: 'ClientPackage', schema: ClientPackage }] },
  },
  load: {
    tag: 'Service',
    summary: 'Load a client',
    description:
      'A package of GET /clients by its `file`, or ledgerline.tgz for the one of npm: npm and pip install it from here. Needs no key.',
    statuses: [200, 304],
    answerHeaders: { etag: 'Of the file.', 'cache-control': 'It may be kept, and is to be compared.' },
    errors: [404],
  },
} as const satisfies Record<string, RouteDoc>;
