import net from 'node:net';
import { afterAll, afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { request } from 'undici';
import { isPublicAddress } from '../../tools/publicAddress.ts';
import { refusalOf, resolverOf, startSite } from './webStage.ts';

/** Hosts that mean this machine or its network, in all notations that a URL or a resolver accepts. */
const loopbackHosts = [
  '127.0.0.1',
  '127.1',
  '127.0.1',
  '2130706433',
  '0x7f000001',
  '0x7f.1',
  '0x7f.0x0.0x0.0x1',
  '0177.0.0.1',
  '0177.1',
  '017700000001',
  '127.0.0.1.',
  '0',
  '0.0.0.0',
  '0x0',
  '%31%32%37.0.0.1',
  '127。0。0。1',
  '１２７.0.0.1',
  '①②⑦.0.0.1',
  'localhost',
  'LOCALHOST',
  '[::1]',
  '[0:0:0:0:0:0:0:1]',
  '[::ffff:127.0.0.1]',
  '[::ffff:7f00:1]',
  '[0:0:0:0:0:ffff:127.0.0.1]',
  '[::]',
];

const otherHosts = [
  '127.255.255.254',
  '[::127.0.0.1]',
  '10.0.0.1',
  '172.16.0.1',
  '172.31.255.255',
  '192.168.1.1',
  '100.64.0.1',
  '169.254.169.254',
  '0xa9fea9fe',
  '2852039166',
  '[::ffff:169.254.169.254]',
  '[64:ff9b::a9fe:a9fe]',
  '[64:ff9b:1::a00:1]',
  '[2002:7f00:1::]',
  '[2001:0:7f00:1::]',
  '[fe80::1]',
  '[fc00::1]',
  '[fd12:3456::1]',
  '[fec0::1]',
  '[ff02::1]',
  '[2001:db8::1]',
  '[::ffff:0:127.0.0.1]',
  '[4000::1]',
  '192.0.2.1',
  '198.18.0.1',
  '198.51.100.1',
  '203.0.113.1',
  '224.0.0.1',
  '240.0.0.1',
  '255.255.255.255',
];

const names = {
  localhost: ['127.0.0.1', '::1'],
  'inside.test': ['10.1.2.3'],
  'mapped.test': ['::ffff:127.0.0.1'],
  'six.test': ['::1'],
  'link.test': ['169.254.169.254'],
  'zone.test': ['fe80::1%eth0'],
};

const hits = () => [...four.hits, ...(six?.hits ?? [])];
const answer = (_request: unknown, response: { end(text: string): void }) => response.end('inside');

const four = await startSite(answer);
// Not every machine has IPv6.
const six = await startSite(answer, '::1', four.port).catch(() => undefined);
beforeEach(() => {
  four.hits.length = 0;
  if (six) six.hits.length = 0;
});
afterEach(() => {
  jest.restoreAllMocks();
});
afterAll(() => Promise.all([four.stop(), six?.stop()]));

describe('addresses written in a URL', () => {
  test.each([...loopbackHosts, ...otherHosts])('%s is not reached', async (host) => {
    const said = await refusalOf(`http://${host}:${four.port}/`, { resolve: resolverOf(names) });
    expect(said).toMatch(/has no public address|is not a valid URL/);
    expect(hits()).toEqual([]);
  });

  test('would mostly be reached by an unguarded client', async () => {
    const reaching = loopbackHosts.map((host) =>
      request(`http://${host}:${four.port}/`).then(({ body }) => body.text()),
    );
    await Promise.allSettled(reaching);
    expect(hits().length).toBeGreaterThan(15);
  });
});

describe('names', () => {
  test.each(Object.keys(names))('%s is not reached', async (name) => {
    expect(await refusalOf(`http://${name}:${four.port}/`, { resolve: resolverOf(names) })).toMatch(
      /no public address/,
    );
    expect(hits()).toEqual([]);
  });

  test('an unknown name and an internal one get the same message', async () => {
    const said = (host: string) => refusalOf(`http://${host}/`, { resolve: resolverOf(names) });
    expect((await said('unknown.test')).replace('unknown', '')).toBe((await said('inside.test')).replace('inside', ''));
  });

  test('are connected only to their public addresses', async () => {
    const connect = jest.spyOn(net, 'connect').mockImplementation(() => {
      throw new Error('seen');
    });
    const resolve = resolverOf({ 'mixed.test': ['127.0.0.1', '1.1.1.1', '::1', '10.0.0.1'] });
    await refusalOf('http://mixed.test/', { resolve });
    const { lookup } = connect.mock.calls[0]![0] as unknown as net.TcpNetConnectOpts;
    const all = await new Promise((settle) => lookup!('mixed.test', { all: true }, (_error, found) => settle(found)));
    expect(all).toEqual([{ address: '1.1.1.1', family: 4 }]);
    const one = await new Promise((settle) => lookup!('mixed.test', {}, (_error, found) => settle(found)));
    expect(one).toBe('1.1.1.1');
  });

  test('are checked at every connection when their address changes, and looked up once for each', async () => {
    let asked = 0;
    const resolve = async () => [{ address: asked++ % 2 === 0 ? '2001:4860:4860::1' : '127.0.0.1', family: 4 }];
    // Whether the first one connects depends on the network: it is public, and no server answers there.
    jest.spyOn(net.Socket.prototype, 'connect').mockImplementationOnce(function (this: net.Socket, ...args: unknown[]) {
      const [options] = args.flat() as net.TcpNetConnectOpts[];
      options!.lookup!('rebind.test', { all: true }, () => this.destroy(new Error('nobody there')));
      return this;
    });
    await refusalOf(`http://rebind.test:${four.port}/`, { resolve });
    expect(asked).toBe(1);
    expect(await refusalOf(`http://rebind.test:${four.port}/`, { resolve })).toMatch(/no public address/);
    expect(asked).toBe(2);
    expect(hits()).toEqual([]);
  });
});

describe('the connected peer', () => {
  const { connect } = net;

  /** Redirects every connection to a private address, like a route or a rewritten packet, and reports the given peer. */
  function leadInside(remoteAddress?: string): void {
    const inside = (options: net.TcpNetConnectOpts) => {
      const socket = connect({ ...options, host: '127.0.0.1' });
      return remoteAddress ? Object.defineProperty(socket, 'remoteAddress', { value: remoteAddress }) : socket;
    };
    jest.spyOn(net, 'connect').mockImplementation(inside as typeof net.connect);
  }

  const resolve = resolverOf({ 'public.test': ['1.1.1.1'] });

  test('is checked although its name and address were public', async () => {
    leadInside();
    expect(await refusalOf(`http://public.test:${four.port}/`, { resolve })).toMatch(/no public address/);
    expect(hits()).toEqual([]);
  });

  test('is accepted when it is public', async () => {
    leadInside('1.1.1.1');
    expect(await refusalOf(`http://public.test:${four.port}/`, { resolve })).toMatch(/which is not text/);
    expect(hits()).toEqual(['/']);
  });
});

describe('hosts with allowed private addresses', () => {
  test('are reached only under their name and port', async () => {
    const resolve = resolverOf({ 'trusted.test': ['127.0.0.1'] });
    const url = `http://trusted.test:${four.port}/`;
    const egress = { allowPrivate: [`http://trusted.test:${four.port}`] };
    await refusalOf(url, { resolve, egress: { allowPrivate: ['http://trusted.test'] } });
    await refusalOf(`http://127.0.0.1:${four.port}/`, { resolve, egress });
    expect(hits()).toEqual([]);
    await refusalOf(url, { resolve, egress });
    expect(hits()).toEqual(['/']);
  });
});

describe('isPublicAddress', () => {
  test.each(['1.1.1.1', '93.184.215.14', '2606:4700:4700::1111', '2a00:1450:4001:830::200e'])('%s is', (address) => {
    expect(isPublicAddress(address)).toBe(true);
  });

  test.each([
    '',
    'localhost',
    '1.1.1',
    '0x01010101',
    '16843009',
    '::ffff:1.1.1.1',
    '2002:101:101::',
    '64:ff9b::101:101',
    '3fff::1',
    '5f00::1',
  ])('%s is not', (address) => {
    expect(isPublicAddress(address)).toBe(false);
  });
});
