import { fetch } from 'undici';
import type { Answered, Browser } from './accountStage.ts';

/** The console's address in tests whose people sign in with a provider. */
export const PUBLIC_URL = 'http://console.test:4000';

/** Goes through the OpenID provider's page. Returns the address by which it sends the person back. */
export async function enter(url: string, subject: string): Promise<string> {
  const cookies = new Map<string, string>();
  for (let next = url, body: string | undefined; ;) {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const form = body === undefined ? {} : { method: 'POST', body };
    const headers = { cookie, 'content-type': 'application/x-www-form-urlencoded' };
    const response = await fetch(next, { ...form, headers, redirect: 'manual' });
    for (const set of response.headers.getSetCookie()) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(set)!;
      cookies.set(name!, value!);
    }
    const location = response.headers.get('location');
    body = location === null ? `subject=${subject}` : undefined;
    if (response.status >= 400) throw new Error(await response.text());
    next = location === null ? next : new URL(location, next).href;
    if (next.startsWith(PUBLIC_URL)) return next;
  }
}

const LAX = /\.(state|sso)$/;

/** Comes back from the provider: a navigation from another site, which carries no strict cookie. Returns where it leads. */
export async function comeBack(browser: Browser, url: string): Promise<string> {
  const strict = [...browser.cookies].filter(([name]) => !LAX.test(name));
  for (const [name] of strict) browser.cookies.delete(name);
  const { pathname, search } = new URL(url);
  const headers = { 'sec-fetch-site': 'cross-site', 'x-ledgerline-csrf': '' };
  const answer: Answered = await browser.send('GET', pathname + search, undefined, headers);
  for (const [name, value] of strict) if (!browser.cookies.has(name)) browser.cookies.set(name, value);
  if (answer.status !== 302) throw new Error(`${answer.status} ${JSON.stringify(answer.body)}`);
  return answer.headers.get('location')!;
}
