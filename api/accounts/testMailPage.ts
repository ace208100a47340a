import { listTestMails } from '../../db/mails/testMails.ts';
import { paragraphsOf } from '../../providers/mail/mailer.ts';
import { escapeHtml } from '../../base/web.ts';
import type { Handler } from '../context.ts';
import { clientAddressOf } from '../guard/allowedAddress.ts';
import { isLocalName } from '../guard/consoleOrigin.ts';
import { unknownRoute } from '../../base/errors/requestErrors.ts';
import type { Services } from '../services.ts';

// The page loads and runs nothing.
const POLICY = "default-src 'none'; frame-ancestors 'none'; form-action 'none'; base-uri 'none'";

const LOOPBACK = /^(127\.[\d.]+|::ffff:127\.[\d.]+|::1)$/;
const OF_PROXIES = /^(x-forwarded-.*|x-real-ip|forwarded|via)$/;

/**
 * `GET /console/test-mail`: the unsent mails, newest first. 404 when a mail server is set, and for remote callers, because mails contain
 * sign-in links. A proxy on this machine may forward remote requests.
 */
export function showTestMails({ db, mailer, config }: Services): Handler {
  return async (ctx) => {
    const isLocal = isLocalName(new URL(config.publicUrl).hostname) && LOOPBACK.test(clientAddressOf(ctx));
    const isProxied = Object.keys(ctx.req.headers).some((name) => OF_PROXIES.test(name));
    if (mailer.kind !== 'test' || !isLocal || isProxied) throw unknownRoute(ctx.method, ctx.path);
    const mails = await listTestMails(db.everywhere);
    const articles = mails.map(
      ({ recipient, subject, text, createdAt }) =>
        `<article><h2>${escapeHtml(subject)}</h2><p>To ${escapeHtml(recipient)}, ` +
        `${createdAt.toISOString()}</p>${paragraphsOf(text)}</article>`,
    );
    ctx.type = 'html';
    ctx.set('content-security-policy', POLICY);
    ctx.body =
      '<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" ' +
      'content="width=device-width"><title>TEST mails</title></head><body><h1>TEST mails</h1><p>No mail server ' +
      'is set (SMTP_URL), so these mails were not ' +
      `sent.</p>${articles.join('<hr>') || '<p>No mail yet.</p>'}</body></html>`;
  };
}
