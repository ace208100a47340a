import { momentText } from '../../base/dateText.ts';
import { listTestMails } from '../../db/mails/testMails.ts';
import { paragraphsOf } from '../../providers/mail/mailDocument.ts';
import { plainPagePolicy, renderPlainPage } from '../../base/plainPage.ts';
import { escapeHtml, isLocalName } from '../../base/web.ts';
import type { Handler } from '../context.ts';
import { clientAddressOf } from '../guard/allowedAddress.ts';
import { unknownRoute } from '../../base/errors/requestErrors.ts';
import type { Services } from '../services.ts';

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
        `<article class="card"><h2>${escapeHtml(subject)}</h2><p class="soft">To ${escapeHtml(recipient)}, ` +
        `<time datetime="${createdAt.toISOString()}">${momentText(createdAt)}</time></p>${paragraphsOf(text)}</article>`,
    );
    ctx.type = 'html';
    ctx.set('content-security-policy', plainPagePolicy());
    ctx.body = renderPlainPage({
      title: 'TEST mails',
      strip: 'TEST: no mail server is set (SMTP_URL), so these mails were not sent',
      isWide: true,
      content: `<h1>TEST mails</h1><p class="soft">The newest comes first. Reload the page for more.</p>${
        articles.join('') || '<p class="card">No mail yet: it appears here when an account is created, for example.</p>'
      }`,
    });
  };
}
