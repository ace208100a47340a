import { ApiError } from '../../base/errors/apiError.ts';
import { invalidRequest } from '../../base/errors/requestErrors.ts';
import type { Context } from '../context.ts';
import type { AccountInput } from './accountSchema.ts';

/** The members that name the address to which the accounts library redirects afterwards. */
const NAMES = ['callbackURL', 'newUserCallbackURL', 'errorCallbackURL', 'redirectTo'];

// Whole addresses: `/.//evil.example` begins with a slash too, and a browser or the library may make another site of it.
const PAGES = /^\/(?:settings|sign-in|reset-password|invitations\/inv_[0-9A-Za-z]{1,64})?$/;

/** Throws 400 `invalid_callback` when a request would lead a person to anything but a page of the console. */
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

/** Links of mails, which change an account or sign a browser in. */
export type LinkPath = 'verify-email' | 'magic-link/verify';

export const isLink = (path: string): path is LinkPath => path === 'verify-email' || path === 'magic-link/verify';

/**
 * Leads a person who opened a link to a page that asks. The link alone does nothing: it may be another person's, sent to sign this browser
 * in to their account, or be read by a filter of mails.
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

/** The page to go to after a confirmed link, from the library's redirect. Throws 400 with the library's reason. */
export function nextPageOf(location: string): string {
  const { pathname, searchParams } = new URL(location, 'http://console.invalid');
  const code = searchParams.get('error');
  if (code === null) return PAGES.test(pathname) ? pathname : '/';
  const message = 'This link is not valid, was used before, or has expired. Ask for a new one.';
  throw new ApiError({ status: 400, code: code.toLowerCase(), message });
}
