import { createHash } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { buildOpenApi } from '../../../../api/docs/openapi/openapi.ts';
import { prose } from '../../../../api/docs/pages/html.ts';
import { LIMITS } from '../../../../api/docs/pages/limits.ts';
import { renderDocsPage } from '../../../../api/docs/pages/page.ts';
import { readCatalog } from '../../../../db/catalog.ts';
import { docs, document, installation } from '../textRoutes.ts';

const { models } = readCatalog('catalog.json', () => '');
const { html, contentSecurityPolicy } = renderDocsPage(document, { ...installation, models });

describe('the docs page', () => {
  test('shows every operation once, with all its paths', () => {
    for (const path of Object.keys(document.paths)) expect(html).toContain(`</span>${path}</code>`);
    expect(html.match(/<section class="operation"/g)).toHaveLength(12);
  });

  test('has a target for every internal link', () => {
    const places = new Set([...html.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id));
    const links = [...html.matchAll(/href="#([^"]+)"/g)].map(([, id]) => id);
    expect(links.filter((id) => !places.has(id))).toEqual([]);
  });

  test('runs only its own script file and loads nothing else', () => {
    expect(html.match(/<script[^>]*>[^]*?<\/script>/g)).toEqual(['<script src="/docs/search.js" defer></script>']);
    expect(html).not.toMatch(/<link rel=.stylesheet|<img|@import|url\(|\son\w+=|\sstyle=/i);
    const addresses = [...html.matchAll(/href="([^"#][^"]*)"/g)].map(([, address]) => address);
    expect(new Set(addresses)).toEqual(new Set(['/', '/favicon.svg', '/keys', '/openapi.json']));
  });

  test('comes with a policy that allows only its own style, script and icon', () => {
    const style = /<style>([^]*)<\/style>/.exec(html)![1]!;
    const hash = createHash('sha256').update(style).digest('base64');
    expect(contentSecurityPolicy).toContain(
      `default-src 'none'; style-src 'sha256-${hash}'; script-src 'self'; img-src 'self'; base-uri`,
    );
  });

  test('shows the price of every model as charged', () => {
    const rowOf = (id: string) => {
      const start = html.indexOf(`<code>${id}</code>`, html.indexOf('id="prices"'));
      return html.slice(start, html.indexOf('</tr>', start));
    };
    expect(models.filter(({ id }) => !rowOf(id).includes('<small>per '))).toEqual([]);
    expect(rowOf('smollm2-135m-instruct')).toContain('0.30 <small>per million input tokens, in a batch 0.15</small>');
    expect(rowOf('ledgerline-transcription')).toContain('0.006 <small>per minute of sound</small>');
    expect(rowOf('ledgerline-voice-conversion')).toContain('0.12 <small>per minute of sound</small>');
    expect(rowOf('ledgerline-speech')).toContain('<code>tts-1</code>');
  });

  test("shows the installation's limits beside the general ones", () => {
    const own = renderDocsPage(document, { ...installation, defaultRpmLimit: 1_234 }).html;
    expect(own).toContain('Requests a minute of a key without a limit of its own</th><td>1,234</td>');
    for (const [name, value] of LIMITS) expect(own).toContain(`${prose(name)}</th><td>${value}</td>`);
  });

  test('explains every status and whether to retry', () => {
    const errors = html.slice(html.indexOf('<section id="errors">'), html.indexOf('<h2>Guides'));
    const statuses = Object.keys(document.components.responses).map((name) => name.slice('Error'.length));
    expect([...errors.matchAll(/<tr id="error-(\d+)"/g)].map(([, status]) => status)).toEqual(statuses);
    expect(errors).toMatch(/<code>429<\/code>.*After <code>retry-after<\/code>/);
  });

  test('has a request that can be pasted', () => {
    expect(html).toContain('curl http://127.0.0.1:8080/textapi/v1/chat/completions');
    expect(html).toContain('&quot;model&quot;:&quot;swift&quot;');
  });

  test("renders the document's texts as text, never as markup", () => {
    const doc = { ...docs.listModels, summary: '<b onclick="x">', description: '`<i>` & more' };
    const hostile = buildOpenApi([{ method: 'GET', path: '/v1/models', guards: [], doc }], {
      version: '1',
      baseUrl: '/',
    });
    const page = renderDocsPage(hostile, installation).html;
    expect(page).toContain('&lt;b onclick=&quot;x&quot;&gt;');
    expect(page).toContain('<code>&lt;i&gt;</code> &amp; more');
    expect(page).not.toContain('<b onclick');
  });
});
