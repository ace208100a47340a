import { APIError } from 'better-auth/api';
import { countTry } from '../../db/accounts/throttle.ts';
import type { Queryable } from '../../db/postgres/queryable.ts';
import { contextOf } from './signInContext.ts';

// The library takes a code in its half minute, and in those before and after it.
const ONCE = { triesMax: 1, windowSeconds: 120 };

/**
 * Lets a code of an authenticator app open one session: the library takes it again as long as it is valid (RFC 6238, 5.2). Throws 401
 * `code_used`.
 */
export async function claimCode(client: Queryable, userId: string): Promise<void> {
  const { path, code } = contextOf() ?? {};
  if (path !== 'two-factor/verify-totp') return;
  const { waitMs } = await countTry(client, `code ${String(code)} of ${userId}`, ONCE);
  if (waitMs === 0) return;
  const message = 'This code was used before. Sign in again with the next one.';
  throw new APIError('UNAUTHORIZED', { code: 'code_used', message });
}
