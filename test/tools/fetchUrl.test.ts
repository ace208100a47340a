import { afterAll, afterEach, describe, expect, jest, test } from '@jest/globals';
import type { RequestListener } from 'node:http';
import { Readable } from 'node:stream';
import { pdfOf } from './documents/pdfBytes.ts';
import { fetchText, refusalOf, resolverOf, startSite } from './webStage.ts';

const resolve = resolverOf({ 'site.test': ['127.0.0.1'] });
let answer: RequestListener;

const site = await startSite((request, response) => answer(request, response));
const inside = await startSite((_request, response) => response.end('inside'));
afterEach(() => {
  jest.restoreAllMocks();
  expect(inside.hits).toEqual([]);
});
afterAll(() => Promise.all([site.stop(), inside.stop()]));

const urlOf = (path: string) => `http://site.test:${site.port}${path}`;
const fetching = () => ({ resolve, egress: { allowPrivate: [`http://site.test:${site.port}`] } });
const fetchAt = (path: string) => fetchText(urlOf(path), fetching());
const refusedAt = (path: string) => refusalOf(urlOf(path), fetching());

/** The site's answer from now on. */
function says(body: string | Uint8Array, type = 'text/plain', more: Record<string, string> = {}): void {
  answer = (_request, response) => response.writeHead(200, { 'content-type': type, ...more }).end(body);
}

const redirects = (locationOf: (path: string) => string | undefined) => {
  answer = (request, response) => {
    const location = locationOf(request.url!);
    if (location === undefined) response.writeHead(200, { 'content-type': 'text/plain' }).end('there');
    else response.writeHead(302, { location }).end('gone');
  };
};

describe('pages', () => {
  test('are returned as text with their final address', async () => {
    says('hello');
    expect(await fetchAt('/a?b=c#d')).toBe(`Content of ${urlOf('/a?b=c')}:\n\nhello`);
  });

  test('of HTML lose their markup', async () => {
    says('<title>T</title><script>alert(1)</script><p>One &amp; <b>two</b></p>', 'text/html; charset=utf-8');
    expect(await fetchAt('/')).toMatch(/:\n\nTitle: T\n\nOne & two$/);
  });

  test.each(['application/json', 'application/ld+json', 'text/csv', 'application/xml', 'application/rss+xml'])(
    'of type %s are returned unchanged',
    async (type) => {
      says('<a>{"b": 1}</a>', type);
      expect(await fetchAt('/')).toMatch(/\n<a>\{"b": 1\}<\/a>$/);
    },
  );

  test('of PDF are converted to text', async () => {
    says(pdfOf(['Price list']), 'application/pdf');
    expect(await fetchAt('/')).toContain('[Page 1 of 1]\nPrice list');
  });

  test('are decoded by their charset', async () => {
    says(Buffer.from('Zürich', 'latin1'), 'text/plain; charset="ISO-8859-1"');
    expect(await fetchAt('/')).toMatch(/Zürich$/);
    says('Zürich', 'text/plain; charset=unheard-of');
    expect(await fetchAt('/')).toMatch(/Zürich$/);
  });

  test('are cut after 1 MiB, however much is sent', async () => {
    let sentBytes = 0;
    function* endless() {
      for (; sentBytes < 200 * 1024 * 1024; sentBytes += 65_536) yield 'x'.repeat(65_536);
    }
    answer = (_request, response) => {
      response.writeHead(200, { 'content-type': 'text/plain' });
      Readable.from(endless()).pipe(response);
    };
    const text = await fetchAt('/');
    expect(text).toMatch(/x\n\[Cut after 1 MiB\.\]$/);
    expect(text.length).toBeLessThan(1024 * 1024 + 200);
    expect(sentBytes).toBeLessThan(20 * 1024 * 1024);
  });

  test('carry no cookie, referrer or credential from one to the next', async () => {
    const seen: object[] = [];
    answer = (request, response) => {
      seen.push(request.headers);
      response.writeHead(302, { 'set-cookie': 'a=b', location: '/next' }).end();
    };
    await refusedAt('/');
    const host = `site.test:${site.port}`;
    expect(new Set(seen.map((headers) => Object.keys(headers).toSorted().join()))).toEqual(
      new Set(['accept,accept-encoding,connection,host,user-agent']),
    );
    expect(seen).toHaveLength(6);
    expect(seen[0]).toMatchObject({ host });
  });
});

describe('fetch_url refuses', () => {
  test.each(['image/png', 'application/octet-stream', 'application/zip', '', 'multipart/form-data'])(
    'the type %j',
    async (type) => {
      says('x', type);
      expect(await refusedAt('/')).toMatch(/which is not text/);
    },
  );

  test('bytes that say they are text', async () => {
    says(Uint8Array.of(1, 0, 2), 'text/plain');
    expect(await refusedAt('/')).toBe('The page is not text.');
  });

  test.each([404, 500, 204, 304])('the status %i', async (status) => {
    answer = (_request, response) => response.writeHead(status).end();
    expect(await refusedAt('/')).toMatch(`answered with status ${status}`);
  });

  test('compressed answers, which could inflate', async () => {
    says('x', 'text/plain', { 'content-encoding': 'gzip' });
    expect(await refusedAt('/')).toMatch(/compressed/);
  });

  test.each([
    'file:///etc/passwd',
    'ftp://site.test/',
    'data:text/plain,x',
    'javascript:1',
    'gopher://site.test/',
    'blob:x',
  ])('other schemes: %s', async (url) => {
    expect(await refusalOf(url)).toBe('Only http and https URLs can be fetched.');
  });

  test('plain http when it is not allowed', async () => {
    expect(await refusalOf('http://site.test/', { egress: { allowHttp: false } })).toBe(
      'Only https URLs can be fetched.',
    );
  });

  test('an invalid URL', async () => {
    expect(await refusalOf('site.test')).toBe(
      "'site.test' is not a valid URL. Use an absolute address like https://example.com/.",
    );
  });

  test('URLs with a password', async () => {
    expect(await refusalOf('http://a:b@site.test/')).toMatch(/user name or password/);
  });
});

describe('redirects', () => {
  test('are followed five times, including relative ones', async () => {
    redirects((path) => (path === '/5' ? undefined : `./${Number(path.slice(1)) + 1}`));
    expect(await fetchAt('/0')).toBe(`Content of ${urlOf('/5')}:\n\nthere`);
  });

  test('are not followed a sixth time', async () => {
    redirects((path) => `/${Number(path.slice(1)) + 1}`);
    expect(await refusedAt('/0')).toBe('More than 5 redirects.');
  });

  test.each(['127.0.0.1', '0x7f.1', '2130706433', '[::ffff:127.0.0.1]', 'localhost', '0'])(
    'to %s are refused at every step',
    async (host) => {
      redirects((path) => (path === '/2' ? `http://${host}:${inside.port}/` : `/${Number(path.slice(1)) + 1}`));
      expect(await refusedAt('/0')).toMatch(/no public address/);
    },
  );

  test.each(['file:///etc/passwd', 'ftp://site.test/', 'javascript:1'])('to %s are refused', async (location) => {
    redirects(() => location);
    expect(await refusedAt('/')).toBe('Only http and https URLs can be fetched.');
  });
});

describe('the time limit', () => {
  test('ends after five seconds, over all redirects', async () => {
    const waited = jest.spyOn(AbortSignal, 'timeout').mockImplementation(() => {
      const abort = new AbortController();
      setTimeout(() => abort.abort(new DOMException('over', 'TimeoutError')), 50);
      return abort.signal;
    });
    answer = (_request, response) => response.writeHead(200, { 'content-type': 'text/plain' }).write('a');
    expect(await refusedAt('/')).toBe('No answer within 5 seconds.');
    // Others of this process may wait too.
    expect(waited.mock.calls.filter(([ms]) => ms === 5_000)).toHaveLength(1);
  });

  test('ends when the call is aborted, with its reason', async () => {
    const abort = new AbortController();
    answer = () => abort.abort(new Error('cancelled'));
    await expect(fetchText(urlOf('/'), { ...fetching(), signal: abort.signal })).rejects.toThrow('cancelled');
  });

  test('does not apply to a server that closes the connection', async () => {
    answer = (request) => request.socket.destroy();
    expect(await refusedAt('/')).toMatch(/^The page could not be fetched/);
  });
});
