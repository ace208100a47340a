import { createHash } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { buildOpenApi } from '../../../../api/docs/openapi/openapi.ts';
import { prose } from '../../../../api/docs/pages/html.ts';
import { LIMITS } from '../../../../api/docs/pages/limits.ts';
import { renderSite } from '../../../../api/docs/pages/site.ts';
import { docs, document, installation } from '../textRoutes.ts';
import { readCatalog } from '../../../support/readCatalog.ts';

const { models } = readCatalog('catalog.json', () => '');
const { pages, missing, contentSecurityPolicy } = await renderSite(document, { ...installation, models });
const all = [...pages.values(), missing];
const html = all.join('\n');

describe('the docs pages', () => {
  test('are written in turns, between which the process serves calls', async () => {
    let turns = 0;
    const count = (): void => {
      turns += 1;
      counting = setImmediate(count);
    };
    let counting = setImmediate(count);
    await renderSite(document, installation);
    clearImmediate(counting);
    expect(turns).toBeGreaterThanOrEqual(pages.size);
  });

  test('show every operation once, with all its paths', () => {
    for (const path of Object.keys(document.paths)) expect(html).toContain(`</span>${path}</code>`);
    expect(html.match(/<section class="operation"/g)).toHaveLength(13);
  });

  test('run only their own script file and load nothing else', () => {
    for (const page of all) {
      expect(page.match(/<script[^>]*>[^]*?<\/script>/g)).toEqual(['<script src="/docs/search.js" defer></script>']);
      // A program's text is escaped, and has no attributes.
      const markup = page.replaceAll(/<pre>[^<]*<\/pre>/g, '');
      expect(markup).not.toMatch(/<link rel=.stylesheet|<img|@import|url\((?!'\/geist\.woff2'\))|\son\w+=|\sstyle=/i);
    }
    const addresses = [...html.matchAll(/href="([^"#][^"]*)"/g)].map(([, address]) => address!);
    expect(new Set(addresses.filter((address) => !/^\/docs(\/|$)/.test(address)))).toEqual(
      new Set(['/', '/favicon.svg', '/keys', '/openapi.json']),
    );
  });

  test('come with a policy that allows only their own style, script, typeface and icon', () => {
    for (const page of all) {
      const style = /<style>([^]*)<\/style>/.exec(page)![1]!;
      const hash = createHash('sha256').update(style).digest('base64');
      expect(contentSecurityPolicy).toContain(
        `default-src 'none'; style-src 'sha256-${hash}'; script-src 'self'; img-src 'self'; font-src 'self'; base-uri`,
      );
    }
  });

  test('each have one title, a description, and links to their neighbours', () => {
    for (const [path, page] of pages) {
      expect(page.match(/<h1/g)).toHaveLength(1);
      expect(page).toMatch(/<meta name="description" content="[^"]+">/);
      if (path !== '/docs') expect(page).toMatch(/<a href="[^"]+" rel="(prev|next)">/);
    }
    const titles = all.map((page) => /<title>(.*?)<\/title>/.exec(page)![1]);
    expect(new Set(titles).size).toBeGreaterThan(all.length - 4);
  });

  test('show the price of every model as charged', () => {
    const page = pages.get('/docs/guides/models')!;
    const rowOf = (id: string) => {
      const start = page.indexOf(`<code>${id}</code>`, page.indexOf('id="prices"'));
      return page.slice(start, page.indexOf('</tr>', start));
    };
    expect(models.filter(({ id }) => !rowOf(id).includes('<small>per '))).toEqual([]);
    expect(rowOf('smollm2-135m-instruct')).toContain('0.30 <small>per million input tokens, in a batch 0.15</small>');
    expect(rowOf('ledgerline-transcription')).toContain('0.006 <small>per minute of sound</small>');
    expect(rowOf('ledgerline-voice-conversion')).toContain('0.12 <small>per minute of sound</small>');
    expect(rowOf('ledgerline-speech')).toContain('<code>tts-1</code>');
  });

  test('compare every model of the catalogue with the others of its kind', () => {
    const page = pages.get('/docs/guides/models')!;
    const comparison = page.slice(page.indexOf('id="choose-a-model"'), page.indexOf('id="prices"'));
    for (const { id } of models) expect(comparison).toContain(`<th scope="row"><code>${id}</code>`);
    const kinds = [...comparison.matchAll(/<h3[^>]*>(.*?)<\/h3>/g)].map(([, kind]) => kind);
    expect(kinds).toEqual(['Text', 'Embeddings', 'Speech', 'Transcription', 'Voice conversion', 'Voice sessions']);
    expect(comparison).toContain(
      '<td>4,096 tokens, answers up to 2,048</td><td>0.30 in, 2.50 out <small>less in a batch',
    );
  });

  test("show the installation's limits beside the general ones", async () => {
    const site = await renderSite(document, { ...installation, defaultRpmLimit: 1_234 });
    const own = site.pages.get('/docs/guides/limits')!;
    expect(own).toContain('Requests a minute of a key without a limit of its own</th><td>1,234</td>');
    for (const [name, value] of LIMITS) expect(own).toContain(`${prose(name)}</th><td>${value}</td>`);
  });

  test('explain every status and whether to retry', () => {
    const errors = pages.get('/docs/guides/errors')!;
    const statuses = Object.keys(document.components.responses).map((name) => name.slice('Error'.length));
    expect([...errors.matchAll(/<tr id="error-(\d+)"/g)].map(([, status]) => status)).toEqual(statuses);
    expect(errors).toMatch(/<code>429<\/code>.*After <code>retry-after<\/code>/);
  });

  test('have a request that can be pasted', () => {
    expect(html).toContain('curl http://127.0.0.1:8080/textapi/v1/chat/completions');
    expect(html).toContain('&quot;model&quot;:&quot;swift&quot;');
    // Programs name a model of the catalogue.
    expect([...pages].flatMap(([path, page]) => (page.includes('MODEL_ID') ? [path] : []))).toEqual([]);
  });

  test('show the cost of a call in the sample answers', () => {
    expect(pages.get('/docs/guides/text')).toContain('&quot;cost&quot;: 0.0000223');
    expect(pages.get('/docs/reference/text')!.match(/&quot;cost&quot;: 0\.0000\d+/g)!.length).toBeGreaterThanOrEqual(2);
  });

  test("render the document's texts as text, never as markup", async () => {
    const doc = { ...docs.listModels, summary: '<b onclick="x">', description: '`<i>` & more' };
    const hostile = buildOpenApi([{ method: 'GET', path: '/v1/models', guards: [], doc }], {
      version: '1',
      baseUrl: '/',
    });
    const site = await renderSite(hostile, installation);
    const page = site.pages.get('/docs/reference/models')!;
    expect(page).toContain('&lt;b onclick=&quot;x&quot;&gt;');
    expect(page).toContain('<code>&lt;i&gt;</code> &amp; more');
    expect([...site.pages.values(), site.missing].join()).not.toContain('<b onclick');
  });
});
