import { expect, test } from '@jest/globals';
import { renderSite } from '../../../../api/docs/pages/site.ts';
import { documentOf, routes } from '../../../support/everyRoute.ts';
import { installation } from '../textRoutes.ts';

const { pages } = await renderSite(documentOf(routes), installation);
const SECTION = /<span class="method \w+">([A-Z]+)<\/span>([^<]+)<\/code>[^]*?<pre>(curl [^<]*)<\/pre>/g;
const requests = [...pages.values()]
  .flatMap((page) => page.split('<section class="operation"').slice(1))
  .flatMap((section) => [...section.matchAll(SECTION)].slice(0, 1))
  .map(([, method, path, curl]) => ({ operation: `${method} ${path}`, method: method!, curl: curl! }));

/** The method that curl sends. */
const methodOf = (curl: string): string =>
  / -X ([A-Z]+)/.exec(curl)?.[1] ?? (/^\s*-[dF] /m.test(curl) ? 'POST' : 'GET');

test('every pasted request is sent with the method of its operation', () => {
  expect(requests.length).toBeGreaterThan(200);
  expect(requests.filter(({ method, curl }) => methodOf(curl) !== method)).toEqual([]);
});

test('a pasted request has the query that its operation needs', () => {
  const curlOf = (name: string) => requests.find(({ operation }) => operation === name)!.curl.split(' \\')[0];
  expect(curlOf('GET /platform/v1/usage/export')).toMatch(
    /^curl &#39;http.*\/platform\/v1\/usage\/export\?month=2026-11&#39;$/,
  );
  expect(curlOf('DELETE /v1/memories')).toContain('/v1/memories?user=customer-42');
  expect(requests.filter(({ curl }) => curl.includes('=undefined'))).toEqual([]);
});
