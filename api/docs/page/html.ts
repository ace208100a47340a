import { escapeHtml } from '../../../base/web.ts';

/** A sentence with `names` between backticks set as code. */
export function prose(text: string): string {
  return escapeHtml(text).replaceAll(/`([^`]+)`/g, '<code>$1</code>');
}

/** The whole style of the docs page: no fonts, pictures or files from elsewhere. */
export const PAGE_STYLE = `
:root { color-scheme: light dark; --ink: #1c2430; --soft: #5b6675; --line: #dfe4ea; --paper: #fff; --tint: #f5f7f9; --link: #1257b8;
  --get: #17724a; --post: #8a4b08; --must: #b3261e; }
@media (prefers-color-scheme: dark) { :root { --ink: #e3e8ee; --soft: #9aa7b5; --line: #313a45; --paper: #14181d; --tint: #1c2229;
  --link: #7fb2ff; --get: #5cc796; --post: #e6a860; --must: #ff8a80; } }
* { box-sizing: border-box; }
html { scroll-padding-top: 1rem; }
body { margin: 0; display: grid; grid-template-columns: 15rem minmax(0, 1fr); color: var(--ink); background: var(--paper);
  font: 15px/1.55 system-ui, sans-serif; }
nav { position: sticky; top: 0; height: 100vh; overflow-y: auto; padding: 1.5rem 1rem; background: var(--tint);
  border-right: 1px solid var(--line); font-size: 14px; }
nav strong { display: block; margin: 1.1rem 0 .2rem; color: var(--soft); font-size: 12px; text-transform: uppercase; letter-spacing: .05em; }
nav a { display: block; padding: .12rem 0; overflow-wrap: anywhere; }
main { max-width: 60rem; padding: 2rem 2.5rem 6rem; }
a { color: var(--link); text-decoration: none; } a:hover { text-decoration: underline; }
h1 { margin: 0 0 .3rem; font-size: 1.7rem; } h2 { margin: 3rem 0 0; font-size: 1.3rem; }
h3 { margin: 0; font-size: 1.08rem; } h4 { margin: 1.1rem 0 .3rem; font-size: .92rem; color: var(--soft); }
p { margin: .35rem 0; }
code, pre { font-family: ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; font-size: .88em; }
pre { margin: .4rem 0; padding: .8rem 1rem; overflow-x: auto; background: var(--tint); border: 1px solid var(--line); border-radius: 6px; }
section.operation, section.schema { margin-top: 1.2rem; padding: 1.1rem 1.3rem; border: 1px solid var(--line); border-radius: 8px; }
.path { margin: .35rem 0; font-size: 14px; overflow-wrap: anywhere; }
.method { display: inline-block; min-width: 3.2rem; font-weight: 700; color: var(--post); } .method.get { color: var(--get); }
table { width: 100%; border-collapse: collapse; }
th, td { padding: .4rem .6rem .4rem 0; border-top: 1px solid var(--line); text-align: left; vertical-align: top; font-weight: 400; }
th { width: 13rem; overflow-wrap: anywhere; } td p { color: var(--soft); margin: .1rem 0 0; }
small { color: var(--soft); overflow-wrap: anywhere; } .required { color: var(--must); font-size: 11px; font-weight: 600; } .open { color: var(--soft); font-size: 13px; }
details > summary { cursor: pointer; color: var(--link); font-size: 13px; } .nested { margin: .3rem 0 .6rem; padding-left: .8rem; border-left: 2px solid var(--line); }
@media (max-width: 48rem) { body { display: block; } nav { position: static; height: auto; max-height: 40vh; border: 0; border-bottom: 1px solid var(--line); } main { padding: 1.2rem; } th { width: 8.5rem; } }
`;
