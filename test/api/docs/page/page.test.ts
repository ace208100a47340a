import { createHash } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { buildOpenApi } from '../../../../api/docs/openapi/openapi.ts';
import { renderDocsPage } from '../../../../api/docs/page/page.ts';
import { docs, document } from '../textRoutes.ts';

const { html, contentSecurityPolicy } = renderDocsPage(document);

describe('the docs page', () => {
  test('shows every operation once, under all its paths', () => {
    for (const path of Object.keys(document.paths)) expect(html).toContain(`</span>${path}</code>`);
    expect(html.match(/<section class="operation"/g)).toHaveLength(6);
  });

  test('has a place for every link into it', () => {
    const places = new Set([...html.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id));
    const links = [...html.matchAll(/href="#([^"]+)"/g)].map(([, id]) => id);
    expect(links.filter((id) => !places.has(id))).toEqual([]);
  });

  test('runs no script and loads nothing', () => {
    expect(html).not.toMatch(/<script|<link|<img|@import|url\(|\son\w+=/i);
    expect([...html.matchAll(/href="([^"#][^"]*)"/g)].map(([, address]) => address)).toEqual(['/openapi.json']);
  });

  test('comes with a policy that allows its own style and nothing else', () => {
    const style = /<style>([^]*)<\/style>/.exec(html)![1]!;
    const hash = createHash('sha256').update(style).digest('base64');
    expect(contentSecurityPolicy).toContain(`default-src 'none'; style-src 'sha256-${hash}'`);
  });

  test('gives a request that can be pasted', () => {
    expect(html).toContain('curl http://127.0.0.1:8080/textapi/v1/chat/completions');
    expect(html).toContain('&quot;model&quot;:&quot;swift&quot;');
  });

  test('shows what the document says as text, never as markup', () => {
    const doc = { ...docs.listModels, summary: '<b onclick="x">', description: '`<i>` & more' };
    const hostile = buildOpenApi([{ method: 'GET', path: '/v1/models', guards: [], doc }], {
      version: '1',
      baseUrl: '/',
    });
    const page = renderDocsPage(hostile).html;
    expect(page).toContain('&lt;b onclick=&quot;x&quot;&gt;');
    expect(page).toContain('<code>&lt;i&gt;</code> &amp; more');
    expect(page).not.toContain('<b onclick');
  });
});
