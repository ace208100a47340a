import { invalidRequest } from '../../base/errors/requestErrors.ts';
import type { Context } from '../context.ts';
import type { AccountInput } from './accountSchema.ts';
import type { SignInProvider } from '../../providers/signIn/config.ts';

/** Whether the path is where a provider sends people back to. */
export const isProvider = (providers: readonly SignInProvider[], path: string): boolean =>
  providers.some(({ id }) => path === `callback/${id}`);

/** Where a provider's page leads back to: after signing in, and after adding the provider to an account. */
const PAGES: Record<string, { callbackURL: string; errorCallbackURL: string }> = {
  'sign-in/social': { callbackURL: '/sign-in?step=done', errorCallbackURL: '/sign-in' },
  'link-social': { callbackURL: '/settings?tab=security', errorCallbackURL: '/settings?tab=security' },
};

/**
 * The request for a provider's page: only the provider is chosen by the client. Undefined for other endpoints. Throws 400
 * `unknown_provider`.
 */
export function toProvider(
  providers: readonly SignInProvider[],
  path: string,
  { provider }: AccountInput,
): AccountInput | undefined {
  const pages = PAGES[path];
  if (!pages) return undefined;
  const known = providers.find(({ id }) => id === provider);
  if (known) return { provider: known.id, ...pages };
  const all = providers.map(({ id }) => id).join(', ');
  const message = all === '' ? 'No provider is set up here.' : `The providers here are ${all}.`;
  throw invalidRequest('unknown_provider', message, 'provider');
}

/** Sends a person who comes back from a provider to the console's page, with the library's cookies. */
export async function goOn(ctx: Context, response: Response, publicUrl: string): Promise<void> {
  const cookies = response.headers.getSetCookie();
  if (cookies.length > 0) ctx.res.setHeader('set-cookie', cookies);
  goTo(ctx, await nextOf(response, publicUrl));
}

/** Sends the browser to a page of the console. */
export function goTo(ctx: Context, page: string): void {
  ctx.body = '';
  ctx.status = 302;
  ctx.set('location', page);
}

async function nextOf(response: Response, publicUrl: string): Promise<string> {
  const answer = (await response.json().catch(() => null)) as { twoFactorRedirect?: boolean } | null;
  // The redirect of the first factor's success is then still among the headers.
  if (answer?.twoFactorRedirect) return '/sign-in?step=second';
  const { pathname, search, origin } = new URL(response.headers.get('location') ?? UNKNOWN, publicUrl);
  return origin === new URL(publicUrl).origin ? pathname + search : UNKNOWN;
}

const UNKNOWN = '/sign-in?error=unknown';
