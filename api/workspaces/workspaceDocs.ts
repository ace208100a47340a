import type { RouteDoc } from '../http/documentedRoute.ts';
import { WorkspaceAnswer, WorkspaceChangeBody } from './workspaceSchema.ts';

const answer = { id: 'Workspace', schema: WorkspaceAnswer };

/** Documentation of the workspace's own profile. */
export const workspaceDocs = {
  retrieve: {
    tag: 'Workspace',
    summary: 'Read the workspace of the key',
    description: 'A test workspace has the name and the logo of its live one.',
    answer,
  },
  change: {
    tag: 'Workspace',
    summary: 'Rename the workspace, or change its logo',
    description:
      'Changes what is sent, for the live workspace and its test workspace. Namespaces and the addresses of published agents do not ' +
      'change with the name. Needs a live key.',
    input: { id: 'WorkspaceChange', schema: WorkspaceChangeBody, example: { name: 'Example Ltd' } },
    answer,
    errors: [409],
  },
  logo: {
    tag: 'Workspace',
    summary: 'Load a logo',
    description: 'The image of a `logo_url`. Needs no key.',
    statuses: [200, 304],
    answerHeaders: { etag: 'Of the image.', 'cache-control': 'How long it may be kept.' },
    errors: [404],
  },
} as const satisfies Record<string, RouteDoc>;
