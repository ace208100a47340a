import { hash } from 'node:crypto';
import { plainPagePolicy, renderPlainPage } from '../../base/plainPage.ts';
import { invalidRequest } from '../../base/errors/requestErrors.ts';
import { readBytes } from '../body/readBytes.ts';
import type { Context } from '../context.ts';
import { originOf } from '../guard/cookie.ts';

// Base64 of the library's own limit, with the names and the state.
const FORM_BYTES_MAX = 400 * 1024;

/** What a SAML provider has the browser send. */
export interface SamlForm {
  SAMLResponse: string;
  RelayState: string;
}

/** Throws 400 for a form without an answer, and 413 for one that is too long. */
export async function readSamlForm(ctx: Context): Promise<SamlForm> {
  const body = await readBytes(ctx.req, FORM_BYTES_MAX, () =>
    invalidRequest('invalid_body', 'The form cannot be read.'),
  );
  const form = new URLSearchParams((await body.bytes()).toString('utf8'));
  body.drop();
  const SAMLResponse = form.get('SAMLResponse');
  if (SAMLResponse === null) throw invalidRequest('invalid_body', 'The form has no SAMLResponse.', 'SAMLResponse');
  return { SAMLResponse, RelayState: form.get('RelayState') ?? '' };
}

/**
 * Throws 400 for an answer with a document type, whose entities could be expanded without end, and for one with more signatures than any
 * provider makes: the library prepares the whole content for each reference and transform of a signature before it looks at the key. The
 * time of that grows with the elements, of which each group of a person is one, so they are limited too.
 */
export function checkShape({ SAMLResponse }: SamlForm): void {
  const xml = Buffer.from(SAMLResponse, 'base64').toString('utf8');
  if (/<!DOCTYPE|<!ENTITY/i.test(xml)) throw refused('has a document type');
  if ((xml.match(SIGNATURE_PARTS)?.length ?? 0) > SIGNATURE_PARTS_MAX) throw refused('has too many signatures');
  if ((xml.match(ELEMENTS)?.length ?? 0) > ELEMENTS_MAX)
    throw refused(`has more than ${ELEMENTS_MAX} elements: send fewer groups`);
}

// A signature with its one reference and two transforms has four; the answer and its assertion have one each.
const SIGNATURE_PARTS_MAX = 16;
const SIGNATURE_PARTS = /<(?:[^<>/\s]*:)?(?:Signature|Reference|Transform)(?=[\s/>])/g;

// Providers send at most a few hundred groups: Entra 150.
const ELEMENTS_MAX = 2_000;
const ELEMENTS = /<[^/!?]/g;

const refused = (why: string) => invalidRequest('invalid_body', `The SAMLResponse ${why}.`, 'SAMLResponse');

/** Whether a page of ours sent the form: then the browser sends our cookies too. */
export function isFromUs({ req: { headers } }: Context, publicUrl: string): boolean {
  const site = headers['sec-fetch-site'];
  return site === undefined ? headers.origin === originOf(publicUrl) : site === 'same-origin';
}

const SCRIPT = 'document.forms[0].submit()';
const POLICY = `${plainPagePolicy("'self'")}; script-src 'sha256-${hash('sha256', SCRIPT, 'base64')}'`;

/**
 * Answers a form that another site's page sent with a page that sends it again. Browsers leave our cookies out of the first, so it could
 * not be told whether this browser began the sign-in.
 */
export function sendAgain(ctx: Context, form: SamlForm): void {
  const field = ([name, value]: [string, string]) => `<input type="hidden" name="${name}" value="${escaped(value)}">`;
  ctx.type = 'html';
  ctx.set('content-security-policy', POLICY);
  ctx.set('referrer-policy', 'same-origin');
  ctx.set('cache-control', 'no-store');
  ctx.body = renderPlainPage({
    title: 'Ledgerline: signing in',
    content: `<section class="card"><h1>Signing in</h1><form method="post">${Object.entries(form).map(field).join('')}
<p><button class="button">Continue</button></p></form><script>${SCRIPT}</script></section>`,
  });
}

const escaped = (text: string): string => text.replaceAll(/[&<>"]/g, (one) => `&#${one.charCodeAt(0)};`);
