import { listTestMails } from '../../db/accounts/testMails.ts';
import { paragraphsOf } from '../../mail/mailer.ts';
import { escapeHtml } from '../../base/web.ts';
import type { Handler } from '../context.ts';
import { clientAddressOf } from '../guard/allowedAddress.ts';
import { unknownRoute } from '../errors/requestErrors.ts';
import type { Services } from '../services.ts';

// The page loads and runs nothing.
const POLICY = "default-src 'none'; frame-ancestors 'none'; form-action 'none'; base-uri 'none'";

const LOCAL = /^(localhost|127\.[\d.]+|::ffff:127\.[\d.]+|\[?::1\]?)$/;

/**
 * `GET /console/test-mail`: the unsent mails, newest first. 404 when a mail server is set, and for other machines, because mails contain
 * sign-in links.
 */
export function showTestMails({ db, mailer, config }: Services): Handler {
  return async (ctx) => {
    const isLocal = LOCAL.test(new URL(config.publicUrl).hostname) && LOCAL.test(clientAddressOf(ctx));
    if (mailer.kind !== 'test' || !isLocal) throw unknownRoute(ctx.method, ctx.path);
    const mails = await listTestMails(db.everywhere);
    const articles = mails.map(
      ({ recipient, subject, text, createdAt }) =>
        `<article><h2>${escapeHtml(subject)}</h2><p>To ${escapeHtml(recipient)}, ${createdAt.toISOString()}</p>${paragraphsOf(text)}</article>`,
    );
    ctx.type = 'html';
    ctx.set('content-security-policy', POLICY);
    ctx.body = `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>TEST mails</title></head><body><h1>TEST mails</h1><p>No mail server is set (SMTP_URL), so these mails were not sent.</p>${articles.join('<hr>') || '<p>No mail yet.</p>'}</body></html>`;
  };
}
