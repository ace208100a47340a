import { AsyncLocalStorage } from 'node:async_hooks';
import type { SignedIn } from '../../db/accounts/consoleSession.ts';
import type { AnyTransaction, Rows } from '../../db/postgres/rows.ts';
import type { Asserted } from '../../db/singleSignOn/admit.ts';
import type { ProviderWithDomains } from '../../db/singleSignOn/providers.ts';
import { methodOf } from './signInAudit.ts';

/** The audit of a request, which is written in the transaction of its act. */
export interface RequestAudit {
  /** The writes that may be its act: the first of them is. */
  acts: string[];
  isWritten: boolean;
  /** `owner`: whose row the act changes, where that is known. */
  write: (tx: AnyTransaction, owner: string | undefined) => Promise<void>;
}

/** What is known of the request that the accounts library answers, for its hooks. */
export interface SignInContext {
  path: string;
  requestId: string;
  /** The workspace whose members or invitations it is about. */
  workspaceId: string | null;
  /** Who asks, if signed in: sessions that replace theirs keep how it began. */
  member: Pick<SignedIn, 'method' | 'ssoWorkspaceId'> | null;
  /** Of a passkey, once it is checked: whether its device asked for a PIN, a fingerprint or the like. */
  isUserVerified?: boolean;
  /** Of a second factor: the code that was typed. */
  code: unknown;
  /** Of an identity provider's answer: the state that came back with it. */
  state: string;
  /** What the library failed with: its answer does not tell a refusal from a fault. */
  fault?: Error;
  audit?: RequestAudit | undefined;
  /** The provider that signs the person in. */
  provider?: ProviderWithDomains;
  /** Whom it named, when nothing maps to a role of the workspace. */
  dismissed?: Asserted;
}

const contexts = new AsyncLocalStorage<SignInContext>();

/** Answers a request with its context. */
export const withContext = <T>(context: SignInContext, work: () => Promise<T>): Promise<T> =>
  contexts.run(context, work);

/** The context of the request. */
export const contextOf = (): SignInContext | undefined => contexts.getStore();

/** The identity provider of a workspace whose answer comes at this path, or undefined. */
export const companyProviderOf = (path: string): string | undefined => /\/(idp_[0-9A-Za-z]+)$/.exec(path)?.[1];

/** The same rows for the library: a transaction takes the share of the workspace that the request is about, or of its provider. */
export const rowsOfRequest = (everywhere: Rows<undefined>): Rows<undefined> => ({
  ...everywhere,
  transaction: (work) => {
    const { workspaceId = null, path = '' } = contexts.getStore() ?? {};
    return everywhere.transaction(work, workspaceId ?? companyProviderOf(path));
  },
});

/** Notes what the library failed with. */
export function noteFault(fault: unknown): void {
  const context = contexts.getStore();
  if (context && fault instanceof Error) context.fault = fault;
}

/** Notes whether a passkey's device asked for a PIN, a fingerprint or the like. */
export function noteVerified(isUserVerified: boolean): void {
  const context = contexts.getStore();
  if (context) context.isUserVerified = isUserVerified;
}

/** What a session that begins now keeps of how it began. */
export function originOfSession(): { method: string | null; ssoWorkspaceId: string | null } {
  const context = contexts.getStore();
  if (!context) return { method: null, ssoWorkspaceId: null };
  const { provider, member } = context;
  if (provider) return { method: provider.id, ssoWorkspaceId: provider.workspaceId };
  const method = methodOf(context);
  if (method !== undefined) return { method, ssoWorkspaceId: null };
  return { method: member?.method ?? null, ssoWorkspaceId: member?.ssoWorkspaceId ?? null };
}
