import { escapeHtml } from '../../base/web.ts';

// A sentence's own point is no part of its address.
const ADDRESS = /https?:\/\/[^\s<>"]*[^\s<>".,;:!?)]/g;
const IS_ADDRESS = /^https?:\/\/\S+$/;
const IS_QUOTE = /^> .*(\n> .*)*$/;
const IS_LIST = /^- .*(\n- .*)*$/;

/** A name that others chose, as mails have it: it adds no line and no link. */
export const nameInMail = (name: string): string => name.replaceAll(/\s+/g, ' ').replaceAll('://', ' ').slice(0, 100);

/** Words of others as a paragraph of a mail. They keep their lines, and no link in them becomes a button. */
export const quoted = (words: string): string => words.replaceAll(/^/gm, '> ');

/**
 * A text as HTML: paragraphs, lists and quotes, with links for its addresses. A link that is a paragraph of its own is what the mail asks
 * for: a button. `style` has the attributes of both where no style sheet gives them.
 */
export function paragraphsOf(text: string, style = { button: 'class="button"', link: '' }): string {
  const linkTo = (url: string) => `<a${style.link} href="${url}">${url}</a>`;
  const linesOf = (part: string, skipped = 0) =>
    part.split('\n').map((line) => escapeHtml(line.slice(skipped)).replaceAll(ADDRESS, linkTo));
  return text
    .split('\n\n')
    .map((paragraph) => {
      if (IS_ADDRESS.test(paragraph)) {
        const url = escapeHtml(paragraph);
        const copied = `<p><small>Or copy this link: ${linkTo(url)}</small></p>`;
        return `<p><a ${style.button} href="${url}">${actionOf(paragraph)}</a></p>${copied}`;
      }
      if (IS_QUOTE.test(paragraph)) return `<blockquote>${linesOf(paragraph, 2).join('<br>')}</blockquote>`;
      if (IS_LIST.test(paragraph)) return `<ul><li>${linesOf(paragraph, 2).join('</li><li>')}</li></ul>`;
      return `<p>${linesOf(paragraph).join('<br>')}</p>`;
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
  [/\/publish\/[^/]*tab=review/, 'See review'],
  [/\/schedules\b/, 'Open Schedules'],
  [/\/publish\b/, 'Open Publish'],
  [/\/settings\b/, 'Open Settings'],
];

const actionOf = (address: string): string => ACTIONS.find(([path]) => path.test(address))?.[1] ?? 'Open link';

// Colours are inline, for mail clients that ignore style sheets. The others get those of dark screens, as in the console's `tokens.css`.
const BUTTON =
  'style="display:inline-block;padding:8px 16px;border-radius:8px;background:#12805a;color:#ffffff;font-size:14px;font-weight:600;text-decoration:none"';
const LINK = ' class="link" style="color:#0b6a4a"';
const FONT =
  "font-family:-apple-system,'Segoe UI',Roboto,'Helvetica Neue',Arial,sans-serif;font-size:15px;line-height:1.55;color:#14191d";
const SHEET = `blockquote { margin: 0; padding-left: 12px; border-left: 3px solid #cfd6da; } ul { padding-left: 20px; }
@media (prefers-color-scheme: dark) { body { background: #0e1113 !important; color: #e7eaec !important; }
  .panel { background: #15191c !important; border-color: #262c31 !important; } .soft { color: #9ea8b0 !important; }
  .link { color: #72ceab !important; } blockquote { border-color: #39424a; } }`;

/**
 * A mail's text as a document in the product's look, that loads nothing: a remote image would reveal when it was read. `reason` says why
 * its reader gets it.
 */
export const mailDocument = (subject: string, text: string, reason: string): string => `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark">
<title>${escapeHtml(subject)}</title><style>${SHEET}</style></head>
<body style="margin:0;padding:24px 12px;background:#f6f7f8;${FONT}">
<div style="display:none;max-height:0;overflow:hidden">${escapeHtml(previewOf(text))}</div>
<div style="max-width:560px;margin:0 auto">
<p style="margin:0 0 16px;font-weight:600;letter-spacing:-0.01em">Ledgerline</p>
<div class="panel" style="padding:24px 24px 12px;border:1px solid #e5e9eb;border-radius:12px;background:#ffffff;word-break:break-word">
<h1 style="margin:0 0 12px;font-size:19px;line-height:1.35">${escapeHtml(subject)}</h1>
${paragraphsOf(text, { button: BUTTON, link: LINK })}
</div>
<p class="soft" style="margin:16px 4px 0;font-size:12px;color:#57626b">${escapeHtml(reason)}</p>
</div></body></html>`;

// What an inbox shows beside the subject: without it, the product's name and the subject again.
const previewOf = (text: string): string => text.split('\n\n', 1)[0]!.replace(/:$/, '.');
