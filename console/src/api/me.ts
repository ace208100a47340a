import { notifications } from '@mantine/notifications';
import { queryOptions, useQuery, type QueryClient } from '@tanstack/react-query';
import { sendJson } from './client.ts';
import { ApiFailure, isElsewhere, isSignedOut } from './failure.ts';
import { forgetWorkspace, showWorkspace } from './tab.ts';
import { forgetAllUnsaved } from './unsaved.ts';

export type Role = 'owner' | 'developer' | 'finance' | 'publisher';

/** The signed-in person, and their workspace. */
export interface Me {
  user: { id: string; name: string; email: string; email_verified: boolean; two_factor_enabled: boolean };
  workspace: { id: string; name: string; logo_url: string | null };
  /** The id of the workspace of the answers: in test mode another one. */
  selected: string;
  /** Whether the pages show the workspace, or its test workspace. */
  mode: 'live' | 'test';
  role: Role;
  scopes: string[];
  /** The projects that the person is limited to; null: all. */
  project_ids: string[] | null;
  is_operator: boolean;
  /** How the session began, and what the workspace asks for before it opens. */
  session: { method: string | null; is_of_provider: boolean; lacks: 'single_sign_on' | 'second_factor' | null };
  workspaces: { id: string; name: string; logo_url: string | null; role: Role }[];
  features: {
    payments: 'test' | 'stripe' | 'off';
    mail: 'smtp' | 'test';
    temporal_ui_url: string | null;
    api_url: string;
  };
}

export const meQuery = queryOptions({
  queryKey: ['me'],
  queryFn: readMe,
  staleTime: 60_000,
  retry: false,
});

/**
 * Reads the signed-in person. A browser without an earlier session first checks whether a session exists: that answers 200, where a refusal
 * would appear in the browser's console as an error.
 */
async function readMe(): Promise<Me> {
  if (localStorage.getItem(KNOWN) === null && (await sendJson<unknown>('/console/v1/auth/get-session')) === null) {
    throw new ApiFailure({ message: 'You are not signed in.', status: 401, code: 'not_signed_in', requestId: null });
  }
  try {
    const me = await readOwn();
    localStorage.setItem(KNOWN, me.user.id);
    showWorkspace(me.selected);
    isFirst = false;
    return me;
  } catch (error) {
    if (isSignedOut(error)) localStorage.removeItem(KNOWN);
    throw error;
  }
}

/** Whether no page has been shown yet. */
let isFirst = true;

/**
 * The tab's workspace may be one that the person has left, or of whoever signed in here before: then the session's counts. Under a page that
 * is open it is never exchanged: what is typed there would be written to another workspace.
 */
async function readOwn(): Promise<Me> {
  const read = () => sendJson<Me>('/console/v1/me');
  try {
    return await read();
  } catch (error) {
    if (!isElsewhere(error) || !isFirst) throw error;
    forgetWorkspace();
    const me = await read();
    const message = `You are not, or no longer, a member of the workspace that was asked for. This is ${me.workspace.name}.`;
    notifications.show({ message, autoClose: 12_000, closeButtonProps: { 'aria-label': 'Close' } });
    return me;
  }
}

/** The id of the person who is signed in in this browser. */
const KNOWN = 'ledgerline-person';

/** Whether somebody was signed in in this browser, and has not signed out: the session may have ended since. */
export const isKnown = (): boolean => localStorage.getItem(KNOWN) !== null;

/** Follows who signs in and out in other tabs. `own` is the id of the person whose page this is; undefined where there is none. */
export function watchPerson({
  own,
  onSignedOut,
  onOther,
}: {
  own: () => string | undefined;
  onSignedOut: () => void;
  onOther: () => void;
}): void {
  addEventListener('storage', ({ key, newValue }) => {
    const id = own();
    if (key !== KNOWN || id === undefined) return;
    if (newValue === null) onSignedOut();
    else if (newValue !== id) onOther();
  });
}

/** The signed-in person. Only valid below the shell, which waits until it is known. */
export function useMe(): Me {
  const { data } = useQuery(meQuery);
  if (!data) throw new Error('You are not signed in.');
  return data;
}

/** Where to sign in and go on. `ended`: the session of this page has; `again`: it lasts, and is too old for what was asked. */
export function signInAddress(from: string, why?: 'ended' | 'again'): string {
  const said = new URLSearchParams({
    ...(from !== '/' && from !== '' && { next: from }),
    ...(why && { [why]: '1' }),
  });
  return said.size === 0 ? '/sign-in' : `/sign-in?${said}`;
}

/** The page to open after signing in: only on this site. */
export function nextAddress(search: string): string {
  const asked = new URLSearchParams(search).get('next') ?? '/';
  if (!URL.canParse(asked, location.origin)) return '/';
  const next = new URL(asked, location.origin);
  // A browser reads `/<tab>/host` as `//host`, and `/.//host` may become it.
  return next.origin === location.origin && !next.pathname.startsWith('//')
    ? next.pathname + next.search + next.hash
    : '/';
}

/** The same for a link to the other page of accounts: undefined for the start page, which needs no mention. */
export function nextOrNone(): string | undefined {
  const next = nextAddress(location.search);
  return next === '/' ? undefined : next;
}

/** The browser's own database of what was tried on the playground. */
export const PLAYGROUND_DATABASE = 'ledgerline-playground';

/** Signs out, clears the cache and what this browser keeps, and reloads. */
export async function signOut(queries: QueryClient): Promise<void> {
  await sendJson('/console/v1/auth/sign-out', {});
  localStorage.removeItem(KNOWN);
  forgetWorkspace();
  forgetAllUnsaved();
  indexedDB.deleteDatabase(PLAYGROUND_DATABASE);
  queries.clear();
  location.assign('/sign-in');
}
