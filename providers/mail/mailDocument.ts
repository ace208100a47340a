import { escapeHtml } from '../../base/web.ts';

// A sentence's own point is no part of its address.
const ADDRESS = /https?:\/\/[^\s<>"]*[^\s<>".,;:!?)]/g;
const IS_ADDRESS = /^https?:\/\/\S+$/;

/**
 * A text as HTML: paragraphs, with links for its addresses. A link that is a paragraph of its own is what the mail asks for: a button.
 * `style` has the attributes of both where no style sheet gives them.
 */
export function paragraphsOf(text: string, style = { button: 'class="button"', link: '' }): string {
  const linkTo = (url: string) => `<a${style.link} href="${url}">${url}</a>`;
  return text
    .split('\n\n')
    .map((paragraph) => {
      if (IS_ADDRESS.test(paragraph)) {
        const url = escapeHtml(paragraph);
        const copied = `<p><small>Or copy this link: ${linkTo(url)}</small></p>`;
        return `<p><a ${style.button} href="${url}">${actionOf(paragraph)}</a></p>${copied}`;
      }
      const linked = escapeHtml(paragraph).replaceAll(ADDRESS, linkTo);
      return `<p>${linked.replaceAll('\n', '<br>')}</p>`;
    })
    .join('');
}

// What the link of a mail does, by its path.
const ACTIONS: [path: RegExp, label: string][] = [
  [/\/verify-email\b|\/confirm-link\b/, 'Confirm address'],
  [/\/reset-password\b/, 'Set new password'],
  [/\/forgot-password\b/, 'Reset password'],
  [/\/sign-in\b/, 'Sign in'],
  [/\/invitations\//, 'See invitation'],
  [/\/billing\b/, 'Open Billing'],
  [/\/webhooks\//, 'See endpoint'],
  [/\/agents\//, 'See agent'],
  [/\/publish\/[^/]*tab=runs/, 'See runs'],
  [/\/schedules\b/, 'Open Schedules'],
  [/\/publish\b/, 'Open Publish'],
  [/\/settings\b/, 'Open Settings'],
];

const actionOf = (address: string): string => ACTIONS.find(([path]) => path.test(address))?.[1] ?? 'Open link';

// Mail clients ignore style sheets: colours are inline, and readable on light and dark backgrounds.
const BUTTON =
  'style="display:inline-block;padding:8px 16px;border-radius:8px;background:#12805a;color:#ffffff;font-size:14px;font-weight:600;text-decoration:none"';
const LINK = ' style="color:#0b6a4a"';
const FONT =
  "font-family:-apple-system,'Segoe UI',Roboto,'Helvetica Neue',Arial,sans-serif;font-size:15px;line-height:1.55;color:#14191d";

/** A mail's text as a document in the product's look, that loads nothing: a remote image would reveal when it was read. */
export const mailDocument = (subject: string, text: string): string => `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light">
<title>${escapeHtml(subject)}</title></head>
<body style="margin:0;padding:24px 12px;background:#f6f7f8;${FONT}">
<div style="max-width:560px;margin:0 auto">
<p style="margin:0 0 16px;font-weight:600;letter-spacing:-0.01em">Ledgerline</p>
<div style="padding:24px 24px 12px;border:1px solid #e5e9eb;border-radius:12px;background:#ffffff;word-break:break-word">
<h1 style="margin:0 0 12px;font-size:19px;line-height:1.35">${escapeHtml(subject)}</h1>
${paragraphsOf(text, { button: BUTTON, link: LINK })}
</div>
<p style="margin:16px 4px 0;font-size:12px;color:#57626b">You get this because of your account or workspace at Ledgerline.</p>
</div></body></html>`;
