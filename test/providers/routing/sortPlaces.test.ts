import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import type { Routing } from '../../../providers/upstreamOptions.ts';
import { isAllowed, PlaceHealth, type Demands, type Place } from '../../../providers/routing/place.ts';
import { sortPlaces } from '../../../providers/routing/sortPlaces.ts';
import { createUpstreamHealth } from '../../../providers/routing/upstreamHealth.ts';
import { flowSeed, seededRandom } from '../../support/random.ts';

interface Named extends Place {
  name: string;
}

let nowMs = 0;
const clock = () => nowMs;

function placeOf(name: string, more: Partial<Place> & { waitsMs?: number[]; failures?: number } = {}): Named {
  const { waitsMs = [], failures = 0, ...facts } = more;
  const own = new PlaceHealth({ nowMs: clock, random: () => 0 });
  for (const ms of waitsMs) own.streams.answered(ms);
  for (let count = 0; count < failures; count += 1) own.streams.failed();
  const health = createUpstreamHealth({ name, nowMs: clock, random: () => 0 });
  const known = { weight: 1, cost: undefined, keepsData: true, region: undefined, without: undefined };
  return { name, health, own, ...known, ...facts };
}

const times = (ms: number, count = 20) => Array.from({ length: count }, () => ms);

const chosen = (places: Named[], routing: Routing, random = () => 0.5) => {
  const { order, by, healthy, skipped } = sortPlaces(places, routing, { kind: 'streams', random });
  return { order: order.map(({ name }) => name).join(' '), by, healthy, skipped: skipped.map(({ name }) => name) };
};

describe('upstreams are tried', () => {
  const table: [string, Routing, Named[], string][] = [
    ['in their order', {}, [placeOf('a', { cost: 9 }), placeOf('b', { cost: 1 })], 'a b'],
    [
      'by cost, unknown ones last',
      { by: 'price' },
      [placeOf('a'), placeOf('b', { cost: 2 }), placeOf('c', { cost: 1 })],
      'c b a',
    ],
    ['in their order at equal costs', { by: 'price' }, [placeOf('a', { cost: 1 }), placeOf('b', { cost: 1 })], 'a b'],
    ['by p95', { by: 'latency' }, [placeOf('a', { waitsMs: times(90) }), placeOf('b', { waitsMs: times(30) })], 'b a'],
    [
      'by errors',
      { by: 'errors' },
      [placeOf('a', { waitsMs: times(9), failures: 5 }), placeOf('b', { waitsMs: times(99), failures: 1 })],
      'b a',
    ],
    [
      'after the known ones where they are unknown',
      { by: 'latency' },
      [placeOf('a'), placeOf('b', { waitsMs: times(30) })],
      'b a',
    ],
    ['by weight, 0 last', { by: 'weighted' }, [placeOf('a', { weight: 0 }), placeOf('b', { weight: 1 })], 'b a'],
  ];
  test.each(table)('%s', (_, routing, places, order) => {
    expect(chosen(places, routing)).toMatchObject({ order, healthy: places.length, skipped: [] });
  });

  test('now and then first although their figures are unknown', () => {
    const places = [placeOf('a'), placeOf('b', { waitsMs: times(30) })];
    expect(chosen(places, { by: 'latency' }, () => 0.01)).toMatchObject({ order: 'a b', by: 'explore' });
  });

  test('as often as their weights say', () => {
    const random = seededRandom(7);
    const places = [placeOf('a', { weight: 70 }), placeOf('b', { weight: 20 }), placeOf('c', { weight: 10 })];
    const first: Record<string, number> = { a: 0, b: 0, c: 0 };
    for (let call = 0; call < 10_000; call += 1) first[chosen(places, { by: 'weighted' }, random).order[0]!]! += 1;
    expect(first.a! / 10_000).toBeCloseTo(0.7, 1);
    expect(first.b! / 10_000).toBeCloseTo(0.2, 1);
    expect(first.c! / 10_000).toBeCloseTo(0.1, 1);
  });

  test('last while their circuits are open, then once by the first call', () => {
    const [a, b] = [placeOf('a'), placeOf('b')];
    a.own.circuit.open('failing');
    expect(chosen([a, b], {})).toEqual({ order: 'b a', by: 'order', healthy: 1, skipped: ['a'] });
    nowMs += 30_000;
    expect(chosen([a, b], {})).toMatchObject({ order: 'a b', by: 'probe' });
    expect(chosen([a, b], {})).toMatchObject({ order: 'b a', by: 'order' });
    a.own.circuit.answered();
    expect(chosen([a, b], {})).toEqual({ order: 'a b', by: 'order', healthy: 2, skipped: [] });
  });

  test('a half-open one that would not be first keeps its trial for later', () => {
    const [a, b] = [placeOf('a'), placeOf('b')];
    b.own.circuit.open('failing');
    nowMs += 30_000;
    chosen([a, b], {});
    expect(b.own.circuit.state).toBe('half_open');
  });
});

describe('whatever the rule', () => {
  const place = fc.record({
    weight: fc.nat(100),
    cost: fc.option(fc.nat(100), { nil: undefined }),
    keepsData: fc.boolean(),
    region: fc.constantFrom('eu', 'us', undefined),
    without: fc.constantFrom(['logprobs'], undefined),
  });
  const rule = fc.constantFrom('order', 'weighted', 'price', 'latency', 'errors') as fc.Arbitrary<Routing['by']>;

  test('each upstream is tried at most once, and none is left out', () => {
    fc.assert(
      fc.property(fc.array(place, { minLength: 1, maxLength: 6 }), rule, fc.array(fc.nat(5)), (facts, by, open) => {
        const places = facts.map((one, at) => placeOf(`${at}`, one));
        for (const at of open) places[at]?.own.circuit.open('failing');
        const { order } = sortPlaces(places, { by }, { kind: 'streams', random: seededRandom(flowSeed) });
        expect(order.map(({ name }) => name).toSorted()).toEqual(places.map(({ name }) => name).toSorted());
      }),
    );
  });

  test('no upstream is allowed that the call forbids', () => {
    const demands: fc.Arbitrary<Demands> = fc.record({
      noRetention: fc.boolean(),
      members: fc.constantFrom({ logprobs: true }, {}),
    });
    const regions = fc.constantFrom(['eu'], undefined);
    fc.assert(
      fc.property(place, demands, regions, (facts, given, only) => {
        if (!isAllowed(placeOf('a', facts), only ? { regions: only } : {}, given)) return;
        expect(given.noRetention && facts.keepsData).toBeFalsy();
        expect(only === undefined || facts.region === 'eu').toBe(true);
        expect('logprobs' in given.members! && facts.without !== undefined).toBe(false);
      }),
    );
  });
});
