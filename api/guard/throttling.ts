import { countTry, forgetTries, type Allowance } from '../../db/accounts/throttle.ts';
import type { Queryable } from '../../db/postgres/queryable.ts';
import type { Context } from '../context.ts';
import { clientAddressOf } from './allowedAddress.ts';
import { tooManyTries } from '../../base/errors/keyErrors.ts';

interface Rule {
  /** Limit per account named in the request. */
  account?: Allowance;
  /** Limit per network address. */
  address: Allowance;
}

const MINUTE = 60;
const HOUR = 3_600;
const guessed: Rule = { address: { triesMax: 60, windowSeconds: 15 * MINUTE } };
// Nothing is guessed, because the provider signs its answers; and many people of a company share an address.
const ofCompany: Rule = { address: { triesMax: 1_000, windowSeconds: 15 * MINUTE } };
const mailed: Rule = {
  account: { triesMax: 5, windowSeconds: HOUR },
  address: { triesMax: 30, windowSeconds: HOUR },
};

// Endpoints whose input can be guessed, or that send a mail.
const RULES: Record<string, Rule> = {
  'sign-in/email': {
    account: { triesMax: 10, windowSeconds: 15 * MINUTE },
    address: { triesMax: 60, windowSeconds: 15 * MINUTE },
  },
  'sign-up/email': mailed,
  'request-password-reset': mailed,
  'send-verification-email': mailed,
  'change-email': { address: mailed.address },
  'organization/invite-member': { address: { triesMax: 100, windowSeconds: HOUR } },
  'reset-password': guessed,
  'change-password': guessed,
  'verify-email': guessed,
  'magic-link/verify': guessed,
  'sign-in/social': guessed,
  'sign-in/sso': ofCompany,
  'callback of a company': ofCompany,
  'link-social': guessed,
  callback: guessed,
  'two-factor/enable': guessed,
  'two-factor/disable': guessed,
  'two-factor/verify-totp': guessed,
  'two-factor/verify-backup-code': guessed,
  'two-factor/generate-backup-codes': guessed,
  'passkey/verify-authentication': guessed,
};

/** The account of a request: its mail address. */
export function accountOf(input: unknown): string | undefined {
  const { email } = (input ?? {}) as { email?: unknown };
  return typeof email === 'string' ? email.trim().toLowerCase() : undefined;
}

/**
 * Counts a request for an account. Throws 429 `too_many_tries` when the account or the address exceeds its limit; calls `onStopped` with
 * the account the first time.
 */
export async function throttle(
  client: Queryable,
  ctx: Context,
  path: string,
  onStopped: (account: string) => Promise<void>,
): Promise<void> {
  const rule = RULES[path];
  if (!rule) return;
  const account = accountOf(ctx.state.input);
  // Counts against both limits, so that an answer does not reveal which was reached.
  const [ofAddress, ofAccount] = await Promise.all([
    countTry(client, `${path} from ${networkOf(clientAddressOf(ctx))}`, rule.address),
    rule.account && account !== undefined ? countTry(client, `${path} of ${account}`, rule.account) : undefined,
  ]);
  if (ofAccount?.isFirst) await onStopped(account!);
  const waitMs = Math.max(ofAddress.waitMs, ofAccount?.waitMs ?? 0);
  if (waitMs > 0) throw tooManyTries(waitMs);
}

/** Resets an account's failed attempts after the right password. */
export const pardon = (client: Queryable, path: string, account: string): Promise<void> =>
  forgetTries(client, `${path} of ${account}`);

/** An IPv6 network has 2^64 addresses, which count as one. */
export function networkOf(address: string): string {
  if (!address.includes(':') || address.includes('.')) return address;
  const [start = '', end = ''] = address.split('::');
  const left = start === '' ? [] : start.split(':');
  const right = end === '' ? [] : end.split(':');
  const groups = [...left, ...Array<string>(Math.max(0, 8 - left.length - right.length)).fill('0'), ...right];
  return groups.slice(0, 4).join(':');
}
