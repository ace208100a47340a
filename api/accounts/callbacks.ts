import { ApiError } from '../../base/errors/apiError.ts';
import { invalidRequest } from '../../base/errors/requestErrors.ts';
import type { Context } from '../context.ts';
import type { AccountInput } from './accountSchema.ts';

/** The members with the address to which the accounts library redirects. */
const NAMES = ['callbackURL', 'newUserCallbackURL', 'errorCallbackURL', 'redirectTo'];

// Whole addresses: `/.//evil.example` also begins with a slash, and a browser or the library may resolve it to another site.
const PAGES = /^\/(?:settings|sign-in|reset-password|invitations\/inv_[0-9A-Za-z]{1,64})?$/;

/** Throws 400 `invalid_callback` when a redirect would leave the console's pages. */
export function checkCallbacks({ querystring }: Context, input: AccountInput): void {
  const searchParams = new URLSearchParams(querystring);
  for (const name of NAMES) {
    const sent = searchParams.getAll(name);
    const values = Object.hasOwn(input, name) ? [...sent, input[name]] : sent;
    if (values.length > 1 || values.some((value) => typeof value !== 'string' || !PAGES.test(value)))
      throw invalidRequest(
        'invalid_callback',
        `${name} must be one page of the console: /, /settings, /sign-in, /reset-password or /invitations/{id}.`,
        name,
      );
  }
}

/** Links in mails: they change an account or sign a browser in. */
export type LinkPath = 'verify-email' | 'magic-link/verify';

export const isLink = (path: string): path is LinkPath => path === 'verify-email' || path === 'magic-link/verify';

/**
 * Redirects an opened link to a page that asks for confirmation. The link alone must change nothing: an attacker may send it to sign this
 * browser in to their account, and mail filters open links.
 */
export function askAbout(ctx: Context, link: LinkPath): void {
  const searchParams = new URLSearchParams(ctx.querystring);
  const asked = new URLSearchParams({ link });
  for (const name of ['token', 'callbackURL']) {
    const value = searchParams.get(name);
    if (value !== null) asked.set(name, value);
  }
  ctx.status = 302;
  ctx.set('location', `/confirm-link?${asked.toString()}`);
}

/** The page after a confirmed link, from the library's redirect. Throws 400 with the library's reason. */
export function nextPageOf(location: string): string {
  const { pathname, searchParams } = new URL(location, 'http://console.invalid');
  const code = searchParams.get('error');
  if (code === null) return PAGES.test(pathname) ? pathname : '/';
  const message = 'This link is not valid, was used before, or has expired. Ask for a new one.';
  throw new ApiError({ status: 400, code: code.toLowerCase(), message, param: 'token' });
}
