import { z } from 'zod';
import type { NamedSchema, RouteDoc } from '../http/documentedRoute.ts';
import { ErasureBody } from './consoleSchema.ts';

export const WorkspaceErasure = {
  id: 'WorkspaceErasure',
  schema: z.object({
    object: z.literal('workspace.erasure'),
    status: z.enum(['none', 'ordered', 'started']),
    ordered_at: z.string().nullable(),
    erase_at: z.string().nullable(),
  }),
} satisfies NamedSchema;

/** Documentation of a workspace's export and erasure. */
export const erasureDocs = {
  retrieve: {
    tag: 'Console',
    summary: 'Read whether the workspace will be erased',
    answer: WorkspaceErasure,
  },
  order: {
    tag: 'Console',
    summary: 'Order the erasure of the workspace',
    description:
      'For an owner who signed in within 12 hours; the name of the workspace confirms it. Keys end, runs and ' +
      'batches are cancelled and public agents are suspended at once. Seven days later the contents are ' +
      'erased: inputs, outputs, files, sessions, events, drafts, webhooks, secrets and memberships, and the ' +
      'accounts of people who have no other workspace. Bills, ledger entries and requests stay, without ' +
      'contents and names. A balance that is left is not paid out.',
    input: { id: 'NewWorkspaceErasure', schema: ErasureBody, example: { name: 'Ada’s workspace' } },
    answer: WorkspaceErasure,
    statuses: [202],
    errors: [409],
  },
  cancel: {
    tag: 'Console',
    summary: 'Cancel the erasure of the workspace',
    description:
      'For an owner, until the erasure begins. The keys that the order ended work again, and public agents are back.',
    answer: WorkspaceErasure,
    errors: [404, 409],
  },
  export: {
    tag: 'Console',
    summary: 'Save the rows and files of the workspace',
    description:
      'For an owner who signed in within 12 hours: an archive (tar, gzip) with the rows of each table as JSON ' +
      'lines and all files, without secrets. Each process makes one at a time: 429 while another is made.',
  },
} satisfies Record<string, RouteDoc>;
