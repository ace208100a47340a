import { hash } from 'node:crypto';
import { escapeHtml } from './web.ts';

/** The typeface of all pages, one of the console's files. */
export const FONT_PATH = '/geist.woff2';

/** The icon of all pages, another one of them. */
export const ICON_PATH = '/favicon.svg';

const FONT = `
@font-face { font-family: Geist; font-weight: 400 600; font-display: swap; src: url('${FONT_PATH}') format('woff2'); }
`;

const COLORS = `
:root { color-scheme: light dark; --canvas: light-dark(#f6f7f8, #0e1113); --panel: light-dark(#fff, #15191c); --raised: light-dark(#f4f6f7, #1b2024);
  --line: light-dark(#e5e9eb, #262c31); --line-strong: light-dark(#cfd6da, #39424a); --ink: light-dark(#14191d, #e7eaec); --muted: light-dark(#57626b, #9ea8b0);
  --action: light-dark(#12805a, #12805a); --action-ink: light-dark(#0b6a4a, #72ceab); --action-soft: light-dark(#e4f4ed, #12312a); --bad-ink: light-dark(#b42323, #ff8f88);
  --font: Geist, system-ui, -apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', sans-serif; }
`;

/** The colours and the type of pages that the server writes: those of the console's `tokens.css`. */
export const SKIN = FONT + COLORS;

const RULES = `
* { box-sizing: border-box; }
body { margin: 0; min-height: 100vh; background: var(--canvas); color: var(--ink); font: 14px/1.55 var(--font); -webkit-font-smoothing: antialiased; }
main { max-width: 30rem; margin: 0 auto; padding: 10vh 1rem 3rem; }
main.wide { max-width: 42rem; padding-top: 3rem; }
.brand { display: flex; align-items: center; gap: .5rem; margin: 0 0 1.25rem; font-weight: 600; font-size: 15px; color: inherit; text-decoration: none; }
.strip { margin: 0; padding: .5rem 1rem; background: light-dark(#b45309, #92400e); color: #fff; font-size: 13px; font-weight: 600; text-align: center; }
.card { margin: 0 0 1rem; padding: 1.5rem; border: 1px solid var(--line); border-radius: 12px; background: var(--panel); box-shadow: 0 1px 2px rgb(16 24 32 / 5%); overflow-wrap: anywhere; }
h1 { margin: 0 0 .25rem; font-size: 20px; font-weight: 600; line-height: 1.4; letter-spacing: -.012em; } h2 { margin: 0 0 .25rem; font-size: 15px; font-weight: 600; }
p { margin: .5rem 0; } .soft, small { color: var(--muted); font-size: 13px; } code { font: .92em ui-monospace, Menlo, Consolas, monospace; }
a { color: var(--action-ink); } a:focus-visible, button:focus-visible, input:focus-visible { outline: 2px solid var(--action-ink); outline-offset: 2px; }
.amount { margin: 0 0 1rem; font-size: 36px; font-weight: 600; letter-spacing: -.02em; font-variant-numeric: tabular-nums; }
.notice { padding: .6rem .8rem; border-radius: 8px; background: var(--raised); font-size: 13px; }
form { margin: .5rem 0; } label { display: block; margin-top: 1rem; font-size: 13px; color: var(--muted); }
button, .button { display: block; width: 100%; min-height: 36px; padding: .45rem .9rem; border: 1px solid var(--line-strong); border-radius: 8px; background: var(--panel);
  color: inherit; font: 500 13px/1.5 var(--font); text-align: center; text-decoration: none; cursor: pointer; transition: background-color 150ms ease-out; }
.wide .button { display: inline-block; width: auto; }
button:hover { background: var(--raised); } button.main, .button { border-color: var(--action); background: var(--action); color: #fff; }
button.main:hover, .button:hover { background: #0b6a4a; }
input { width: 100%; min-height: 32px; margin: .25rem 0 .5rem; padding: .3rem .6rem; border: 1px solid var(--line-strong); border-radius: 8px; background: var(--panel); color: inherit; font: inherit; }
`;

const STYLE = SKIN + RULES;

const HASH = `'sha256-${hash('sha256', STYLE, 'base64')}'`;

const BRAND = `<img src="${ICON_PATH}" alt="" width="22" height="22">Ledgerline`;

/**
 * A page of its own that needs no script, in the look of the console: `content` is HTML. `strip` is a warning over the whole window. Send
 * it with `plainPagePolicy`.
 */
export function renderPlainPage({
  title,
  content,
  strip,
  isWide = false,
  isAlone = false,
  head = '',
}: {
  title: string;
  content: string;
  strip?: string;
  isWide?: boolean;
  /** Its server has no start page. */
  isAlone?: boolean;
  head?: string;
}): string {
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">${head}
<title>${escapeHtml(title)}</title><link rel="icon" href="${ICON_PATH}" type="image/svg+xml"><style>${STYLE}</style></head>
<body>${strip === undefined ? '' : `<p class="strip" role="note">${escapeHtml(strip)}</p>`}
<main${isWide ? ' class="wide"' : ''}>${isAlone ? `<p class="brand">${BRAND}</p>` : `<a class="brand" href="/">${BRAND}</a>`}
${content}
</main></body></html>
`;
}

/** The content policy of a plain page: its own style by hash, the typeface and the icon. Its forms may lead to `formAction`. */
export const plainPagePolicy = (formAction = "'none'"): string =>
  `default-src 'none'; style-src ${HASH}; font-src 'self'; img-src 'self'; form-action ${formAction}; ` +
  "frame-ancestors 'none'; base-uri 'none'";
