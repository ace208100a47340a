import { escapeHtml } from '../../base/web.ts';

const ADDRESS = /https?:\/\/[^\s<>"]+/g;
const IS_ADDRESS = /^https?:\/\/\S+$/;

/**
 * A text as HTML: paragraphs, with links for its addresses. `buttonAttributes` are those of a link that is a paragraph of its own, which
 * is what the mail asks for.
 */
export function paragraphsOf(text: string, buttonAttributes = 'class="button"'): string {
  return text
    .split('\n\n')
    .map((paragraph) => {
      if (IS_ADDRESS.test(paragraph)) return buttonOf(paragraph, buttonAttributes);
      const linked = escapeHtml(paragraph).replaceAll(ADDRESS, (address) => `<a href="${address}">${address}</a>`);
      return `<p>${linked.replaceAll('\n', '<br>')}</p>`;
    })
    .join('');
}

const buttonOf = (address: string, attributes: string): string => {
  const url = escapeHtml(address);
  return `<p><a ${attributes} href="${url}">Open the link</a></p><p><small>Or copy it: <a href="${url}">${url}</a></small></p>`;
};

// Mail clients ignore style sheets: colours are inline, and readable on light and dark backgrounds.
const BUTTON =
  'style="display:inline-block;padding:10px 18px;border-radius:8px;background:#12805a;color:#ffffff;font-weight:600;text-decoration:none"';
const FONT =
  "font-family:-apple-system,'Segoe UI',Roboto,'Helvetica Neue',Arial,sans-serif;font-size:15px;line-height:1.55;color:#14191d";

/** A mail's text as a document in the product's look, that loads nothing: a remote image would reveal when it was read. */
export const mailDocument = (subject: string, text: string): string => `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light">
<title>${escapeHtml(subject)}</title></head>
<body style="margin:0;padding:24px 12px;background:#f6f7f8;${FONT}">
<div style="max-width:560px;margin:0 auto">
<p style="margin:0 0 16px;font-weight:600;color:#0b6a4a">Ledgerline</p>
<div style="padding:24px;border:1px solid #e5e9eb;border-radius:12px;background:#ffffff">
<h1 style="margin:0 0 12px;font-size:19px;line-height:1.35">${escapeHtml(subject)}</h1>
${paragraphsOf(text, BUTTON)}
</div>
<p style="margin:16px 4px 0;font-size:12px;color:#57626b">Sent because of an account or a workspace at Ledgerline.</p>
</div></body></html>`;
