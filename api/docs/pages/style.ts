import { SKIN } from '../../../base/plainPage.ts';

/** All styles of the docs pages, in the console's colours and type. They load nothing from elsewhere. */
export const PAGE_STYLE = `${SKIN}:root { --soft: var(--muted); --paper: var(--panel); --tint: var(--raised); --link: var(--action-ink); --mark: var(--action-soft);
  --get: var(--action-ink); --post: light-dark(#8a4b08, #e6a860); --must: var(--bad-ink); }
* { box-sizing: border-box; }
[hidden] { display: none !important; }
html { scroll-padding-top: 1rem; }
body { margin: 0; display: grid; grid-template-columns: 17rem minmax(0, 1fr); color: var(--ink); background: var(--paper);
  font: 14.5px/1.6 var(--font); -webkit-font-smoothing: antialiased; }
.skip { position: absolute; left: -99rem; } .skip:focus { left: 1rem; top: 1rem; z-index: 1; padding: .5rem 1rem; background: var(--paper); }
:focus-visible { outline: 2px solid var(--link); outline-offset: 2px; }
nav { position: sticky; top: 0; height: 100vh; display: flex; flex-direction: column; padding: 1.2rem 0 0 1rem; background: var(--tint);
  border-right: 1px solid var(--line); font-size: 14px; }
nav .brand { margin: 0 0 1rem .1rem; } nav .brand a { display: inline; margin-right: .6rem; } nav .brand a:first-child { font-weight: 650; font-size: 16px; color: var(--ink); }
nav strong, nav summary { display: block; margin: 1.1rem 0 .2rem; color: var(--soft); font-size: 12px; font-weight: 600; }
nav ul { list-style: none; margin: 0; padding: 0; } nav li ul { margin: .1rem 0 .4rem; padding-left: .7rem; border-left: 2px solid var(--line); font-size: 13px; }
nav [aria-current] { color: var(--link); font-weight: 600; } #contents > summary { display: none; } #contents::details-content { content-visibility: visible; block-size: auto; }
nav a { display: block; padding: .16rem 0; overflow-wrap: anywhere; color: var(--ink); } nav a:hover { color: var(--link); }
#search { max-height: 100%; margin: -.3rem 0 0 -.3rem; padding: .3rem 1rem .6rem .4rem; overflow-y: auto; } #contents { position: relative; flex: 1; padding: 0 1rem 2rem .1rem; overflow-y: auto; } #contents > strong:first-of-type { margin-top: .5rem; } #search label { display: block; color: var(--soft); font-size: 12px; } #search ul { list-style: none; margin: .3rem 0; padding: 0; } #found { color: var(--soft); font-size: 12px; }
#results a { padding: .35rem .5rem; border-radius: 6px; } #results a:focus, #results a:hover { background: var(--mark); } #results small { display: block; font-family: ui-monospace, Menlo, monospace; font-size: 11px; }
input { width: 100%; min-height: 36px; padding: .4rem .6rem; color: inherit; background: var(--paper); border: 1px solid var(--soft); border-radius: 8px; font: inherit; }
main { max-width: 62rem; padding: 2rem 2.5rem 6rem; }
a { color: var(--link); text-decoration: none; } main p a, main li a, main td a { text-decoration: underline; } a:hover { text-decoration: underline; }
h1 { margin: 0 0 .3rem; font-size: 1.65rem; font-weight: 600; letter-spacing: -.015em; } h2 { margin: 3rem 0 0; font-size: 1.2rem; font-weight: 600; letter-spacing: -.012em; } h3 { margin: 1.6rem 0 .3rem; font-size: 1.08rem; }
.operation h2, .schema h2 { margin: 0; font-size: 1.08rem; } .operation h3 { margin: 1.1rem 0 .3rem; font-size: .92rem; color: var(--soft); }
p { margin: .35rem 0; } .kicker { margin: 0 0 .4rem; color: var(--soft); font-size: 13px; }
.guide h2 { margin-top: 2.4rem; } .guide p, .guide ul, .guide ol { margin: .7rem 0; } .guide pre, .guide table { margin: 1rem 0; } .guide thead th { width: auto; } .guide td p, .guide th p { margin: .1rem 0 0; } .guide .kicker { margin: 0 0 .4rem; } .guide li { margin: .25rem 0; }
.topics ul { display: grid; grid-template-columns: repeat(auto-fill, minmax(17rem, 1fr)); gap: .8rem; margin: .8rem 0; padding: 0; list-style: none; } .topics li { padding: .8rem 1rem; border: 1px solid var(--line); border-radius: 10px; }
.topics li a { font-weight: 600; text-decoration: none; } .topics p { margin: .1rem 0 0; color: var(--soft); font-size: 13px; overflow-wrap: anywhere; }
.endpoints { margin: 1rem 0; padding: .4rem 1.1rem; list-style: none; border: 1px solid var(--line); border-radius: 10px; } .endpoints li { display: grid; grid-template-columns: minmax(0, 2fr) minmax(0, 3fr); gap: 0 1rem; padding: .25rem 0; } .endpoints code { overflow-wrap: anywhere; } .endpoints .method { min-width: 4.4rem; }
.neighbours { display: grid; grid-template-columns: 1fr 1fr; gap: 1rem; margin-top: 4rem; padding-top: 1.2rem; border-top: 1px solid var(--line); } .neighbours a { font-weight: 600; } .neighbours small { display: block; font-weight: 400; } .neighbours [rel=next] { grid-column: 2; text-align: right; }
p, p code, li code { overflow-wrap: anywhere; } td code { overflow-wrap: break-word; } code, pre { font-family: ui-monospace, 'SF Mono', 'Cascadia Mono', Menlo, Consolas, monospace; font-size: .88em; }
pre { margin: .4rem 0; padding: .8rem 1rem; overflow-x: auto; background: var(--tint); border: 1px solid var(--line); border-radius: 8px; }
.program { position: relative; }
button { min-height: 28px; padding: .2rem .7rem; color: var(--ink); background: var(--paper); border: 1px solid var(--line); border-radius: 8px; font: inherit; font-size: 13px; cursor: pointer; }
.copy { position: absolute; top: .4rem; right: .4rem; box-shadow: -.6rem 0 .8rem .4rem var(--tint); } .program pre { padding-right: 5rem; }
[role=tablist] { display: flex; flex-wrap: wrap; gap: .3rem; margin: .8rem 0 .4rem; } [role=tab][aria-selected=true] { color: var(--link); border-color: var(--link); background: var(--mark); font-weight: 600; }
section.operation, section.schema { margin-top: 1.2rem; padding: 1.1rem 1.3rem; border: 1px solid var(--line); border-radius: 10px; }
.topics li:target, section:target { border-color: var(--link); scroll-margin-top: 0; } tr:target { background: var(--mark); }
.path { margin: .35rem 0; font-size: 14px; overflow-wrap: anywhere; }
.method { display: inline-block; min-width: 3.2rem; margin-right: .5rem; font-weight: 700; color: var(--post); } .method.get { color: var(--get); }
table { width: 100%; border-collapse: collapse; }
th, td { padding: .4rem .6rem .4rem 0; border-top: 1px solid var(--line); text-align: left; vertical-align: top; font-weight: 400; }
thead th { border: 0; color: var(--soft); font-size: 13px; } th { width: 13rem; overflow-wrap: anywhere; } td p, th p { color: var(--soft); margin: .1rem 0 0; font-size: 13px; }
.number { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; } .prices th:first-child { width: auto; } .models th:first-child { width: 45%; } .errors th:first-child { width: 4.5rem; } .errors th:last-child { width: 11rem; }
main li a { display: inline-block; min-height: 24px; } small { color: var(--soft); overflow-wrap: anywhere; } .required { color: var(--must); font-size: 11px; font-weight: 600; } .open { color: var(--soft); font-size: 13px; }
details > summary { cursor: pointer; color: var(--link); font-size: 13px; } .nested { margin: .3rem 0 .6rem; padding-left: .8rem; border-left: 2px solid var(--line); }
@media (max-width: 75rem) { td, td code { overflow-wrap: anywhere; } .nested :is(th, td) { display: block; width: auto; padding-right: 0; } .nested td { padding-top: 0; border: 0; } }
@media (max-width: 48rem) { body { display: block; } nav { position: static; height: auto; border: 0; border-bottom: 1px solid var(--line); } nav .brand { margin: 0 0 .5rem; }
  td[data-label] { display: block; padding: .1rem 0; border: 0; } td[data-label]:first-child { padding-top: .6rem; border-top: 1px solid var(--line); } td[data-label]:last-child { padding-bottom: .6rem; }
  td[data-label]:not(:first-child)::before { content: attr(data-label); display: block; margin-top: .2rem; color: var(--soft); font-size: 12px; } table:has(td[data-label]) thead { display: none; }
  nav { display: block; padding: 1rem; } #search, #contents { margin: 0; padding: 0; overflow: visible; } #contents > summary { display: block; margin: .6rem 0 0; padding: .3rem 0; } #contents:not([open])::details-content { content-visibility: hidden; block-size: 0; } .topics ul { grid-template-columns: 1fr; } main { padding: 1.2rem 1rem; }
  th { width: 7.5rem; } table { table-layout: fixed; } td, li, .engines th { overflow-wrap: anywhere; } .engines th { width: auto; } .nested { padding-left: .4rem; } section.operation, section.schema { padding: .9rem; } .endpoints li { grid-template-columns: 1fr; padding: .4rem 0; } .errors th:first-child { width: 3.2rem; } .errors th:last-child { width: 6rem; }
  .schema th, .schema td, .operation th, .operation td { display: block; width: auto; padding-right: 0; } .schema td, .operation td { padding-top: 0; border: 0; }
  
  :is(.prices, .models), :is(.prices, .models) :is(tbody, tr, th, td) { display: block; width: 100%; text-align: left; } :is(.prices, .models) thead { display: none; } :is(.prices, .models) td { border: 0; padding: .1rem 0; } .prices td:nth-child(3) { display: none; } }
/* On paper: the page alone, in light colours, with whole lines of code. */
@media print { :root { color-scheme: light; } body { display: block; } nav, .skip, .copy { display: none; } main { max-width: none; padding: 0; }
  pre { white-space: pre-wrap; overflow-wrap: anywhere; } .program pre { padding-right: 1rem; } pre, tr { break-inside: avoid; } h1, h2, h3 { break-after: avoid; } }
`;
