import type { RouteDoc } from '../http/documentedRoute.ts';
import { DeviceCodes, DeviceKey, DeviceLoginAnswer, DeviceLoginDetail } from './deviceAnswers.ts';
import { ApprovalBody, DeviceCodesBody, DeviceTokenBody, UserCodeBody } from './deviceSchema.ts';

const TAG = 'Keys';
const login = { id: 'DeviceLogin', schema: DeviceLoginAnswer };

/** Documentation of logins by the device flow. */
export const deviceDocs = {
  begin: {
    tag: TAG,
    summary: 'Begin a device login',
    description:
      'For a program without a browser, as in RFC 8628: it shows `user_code` and the address, and asks for the key every `interval` seconds ' +
      'until a person has approved it in the console. Needs no key.',
    input: {
      id: 'DeviceCodesOrder',
      schema: DeviceCodesBody,
      example: { client_name: 'ledgerline on ada-laptop', scopes: ['llm', 'voice', 'batch'] },
      isOptional: true,
    },
    answer: { id: 'DeviceCodes', schema: DeviceCodes },
    errors: [429],
  },
  fetch: {
    tag: TAG,
    summary: 'Fetch the key of a device login',
    description:
      'Until a person has decided: 400 `authorization_pending`, or `slow_down` when `interval` is not over: then wait 5 seconds more from ' +
      'now on. 400 `access_denied`: the person said no, or may not make this key. 400 `expired_token`: the code is unknown, its ten minutes ' +
      'are over, or its key was fetched. The key is made by this request and is in this answer alone. Needs no key.',
    input: { id: 'DeviceTokenOrder', schema: DeviceTokenBody, example: { device_code: 'EXAMPLE' } },
    answer: { id: 'DeviceKey', schema: DeviceKey },
    errors: [429],
  },
  read: {
    tag: 'Console',
    summary: 'Read a device login by its code',
    description:
      'For a signed-in person: who asks for a key, from where, and in which workspaces the person can approve it.',
    input: { id: 'DeviceLoginOrder', schema: UserCodeBody, example: { user_code: 'BCDF-GHJK' } },
    answer: { id: 'DeviceLoginDetail', schema: DeviceLoginDetail },
    errors: [404],
  },
  approve: {
    tag: 'Console',
    summary: 'Approve a device login',
    description: 'The program gets a key of the workspace with these rights, as soon as it asks. Audited.',
    input: {
      id: 'DeviceApproval',
      schema: ApprovalBody,
      example: {
        user_code: 'BCDF-GHJK',
        workspace_id: 'ws_EXAMPLE',
        name: 'Command line on ada-laptop',
        scopes: ['llm'],
      },
    },
    answer: login,
    errors: [404, 409],
  },
  deny: {
    tag: 'Console',
    summary: 'Deny a device login',
    input: { id: 'DeviceLoginOrder', schema: UserCodeBody, example: { user_code: 'BCDF-GHJK' } },
    answer: login,
    errors: [404, 409],
  },
} satisfies Record<string, RouteDoc>;
