import { createHmac, timingSafeEqual } from 'node:crypto';
import { decoded } from '../guard/cookie.ts';

/**
 * The cookies of a request, with those that an earlier secret signed signed by the first one, which alone the accounts library checks. A
 * cookie that none of them signed stays as it is.
 */
export function resigned(cookies: string, [current, ...earlier]: string[]): string {
  if (earlier.length === 0) return cookies;
  return cookies
    .split(/;\s*/)
    .map((cookie) => resignedOne(cookie, current!, earlier))
    .join('; ');
}

function resignedOne(cookie: string, current: string, earlier: string[]): string {
  const [, name, sent] = /^([^=]+)=(.*)$/.exec(cookie) ?? [];
  const [, value, signature] = /^(.*)\.([^.]+)$/s.exec(decoded(sent ?? '')) ?? [];
  if (name === undefined || value === undefined || signature === undefined) return cookie;
  const isBy = (secret: string) => isEqual(signature, signatureOf(value, secret));
  if (!earlier.some(isBy)) return cookie;
  return `${name}=${encodeURIComponent(`${value}.${signatureOf(value, current)}`)}`;
}

// As the library's own cookies.
const signatureOf = (value: string, secret: string): string =>
  createHmac('sha256', secret).update(value).digest('base64');

const isEqual = (one: string, other: string): boolean =>
  one.length === other.length && timingSafeEqual(Buffer.from(one), Buffer.from(other));
