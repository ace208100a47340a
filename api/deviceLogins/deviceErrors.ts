import { conflict, invalidRequest, notFound } from '../../base/errors/requestErrors.ts';

/** The answers of RFC 8628, 3.5, to a program that asks for its key. */
const WORDS = {
  authorization_pending: 'Nobody has approved this login yet. Ask again after the interval.',
  slow_down: 'This question came too early. Wait 5 seconds more between two questions from now on.',
  access_denied:
    'This login was denied, or its person may not make this key. Begin again, or ask an owner of the workspace.',
  expired_token:
    'This device code is unknown, or has ended: its key was fetched, or its ten minutes are over. Begin again.',
} as const;

export type NoKeyCode = keyof typeof WORDS;

export const noKeyYet = (code: NoKeyCode) => invalidRequest(code, WORDS[code], 'device_code');

export const loginNotFound = () =>
  notFound(
    'No program waits with this code. Compare it with your terminal: after ten minutes it shows a new one.',
    'device_login_not_found',
  );

export const loginDecided = () =>
  conflict('device_login_decided', 'This login was approved or denied before. Begin again in your terminal.');

/** For a workspace of others, and for one that will be erased. */
export const noSuchWorkspace = (id: string) =>
  notFound(`You have no workspace with the id '${id}'.`, 'workspace_not_found');
