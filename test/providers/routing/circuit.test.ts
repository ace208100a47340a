import { beforeEach, describe, expect, test } from '@jest/globals';
import { Circuit } from '../../../providers/routing/circuit.ts';
import { RecentCalls } from '../../../providers/routing/recentCalls.ts';
import { RetryAllowance } from '../../../providers/routing/retryAllowance.ts';
import { noteText, parseNote, reasonOf, type RoutingNote } from '../../../providers/routingNote.ts';

let nowMs = 0;
const clock = () => nowMs;
let circuit: Circuit;

beforeEach(() => {
  nowMs = 0;
  circuit = new Circuit({ nowMs: clock, random: () => 0 });
});

const times = (count: number, act: () => void) => Array.from({ length: count }).forEach(act);

describe('a circuit opens', () => {
  test('after five failures in a row, not after four', () => {
    times(4, () => circuit.failed());
    expect(circuit.state).toBe('closed');
    circuit.failed();
    expect([circuit.state, circuit.reason]).toEqual(['open', 'failing']);
  });

  test('when half of its last calls fail, of ten or more', () => {
    times(4, () => (circuit.answered(), circuit.failed()));
    expect(circuit.state).toBe('closed');
    circuit.answered();
    circuit.failed();
    expect(circuit.state).toBe('open');
  });

  test('when half of its answers turn out to be broken', () => {
    times(5, () => (circuit.answered(), circuit.answered(), circuit.broke()));
    expect(circuit.state).toBe('open');
  });

  test('when it was late three times in a row', () => {
    circuit.failed({ isLate: true });
    circuit.answered();
    times(2, () => circuit.failed({ isLate: true }));
    expect(circuit.state).toBe('closed');
    circuit.failed({ isLate: true });
    expect([circuit.state, circuit.reason]).toEqual(['open', 'late']);
  });

  test('at once, for as long as it was asked for, at most a minute', () => {
    circuit.open('overloaded', 7_000);
    nowMs = 6_999;
    expect(circuit.state).toBe('open');
    nowMs = 7_000;
    expect(circuit.state).toBe('half_open');
    circuit.open('overloaded', 3_600_000);
    nowMs += 60_000;
    expect(circuit.state).toBe('half_open');
  });
});

describe('a half-open circuit', () => {
  test('lets one call of each cool-down try, and closes with its answer', () => {
    circuit.open('silent');
    expect(circuit.mayTry()).toBe(false);
    nowMs = 30_000;
    expect([circuit.mayTry(), circuit.mayTry()]).toEqual([true, false]);
    nowMs = 60_000;
    expect(circuit.mayTry()).toBe(true);
    circuit.answered();
    expect([circuit.state, circuit.mayTry(), circuit.mayTry()]).toEqual(['closed', true, true]);
  });

  test('opens again when that call fails', () => {
    circuit.open('silent');
    nowMs = 30_000;
    circuit.mayTry();
    circuit.failed();
    expect(circuit.state).toBe('open');
    nowMs = 60_000;
    expect(circuit.state).toBe('half_open');
  });

  test('comes up to a fifth earlier, so that processes do not return together', () => {
    const early = new Circuit({ nowMs: clock, random: () => 1 });
    early.open('silent');
    nowMs = 24_000;
    expect(early.state).toBe('half_open');
  });
});

describe('the calls of five minutes', () => {
  test('have a p95 within 8 %, and are forgotten', () => {
    const recent = new RecentCalls(clock);
    for (let ms = 1; ms <= 1_000; ms += 1) recent.answered(ms);
    const { calls, p95Ms } = recent.summary();
    expect(calls).toBe(1_000);
    expect(p95Ms! / 950).toBeGreaterThanOrEqual(1);
    expect(p95Ms! / 950).toBeLessThan(1.08);
    nowMs = 270_000;
    expect(recent.summary().calls).toBe(1_000);
    nowMs = 300_000;
    expect(recent.summary()).toMatchObject({ calls: 0, failures: 0, p95Ms: undefined });
  });

  test('have a usual time that neither a cold start nor a slow period moves', () => {
    const recent = new RecentCalls(clock);
    for (let call = 0; call < 10; call += 1) recent.answered(2_000);
    for (let call = 0; call < 40; call += 1) recent.answered(100);
    expect(recent.summary().p95Ms).toBeGreaterThan(1_900);
    expect(recent.summary().usualMs).toBeLessThan(330);
    nowMs = 30_000;
    for (let call = 0; call < 40; call += 1) recent.answered(100);
    nowMs = 60_000;
    for (let call = 0; call < 400; call += 1) recent.answered(5_000);
    nowMs = 61_000;
    expect(recent.summary().usualMs).toBeLessThan(109);
  });

  test('have no usual time before there are twenty', () => {
    const recent = new RecentCalls(clock);
    for (let call = 0; call < 19; call += 1) recent.answered(100);
    expect(recent.summary().usualMs).toBeUndefined();
  });

  test('count failures, also those found after an answer', () => {
    const recent = new RecentCalls(clock);
    recent.answered(5);
    recent.broke();
    recent.failed();
    expect(recent.summary()).toMatchObject({ calls: 2, failures: 2 });
  });
});

test('further attempts are a fifth of the calls once what was saved is spent, and a few each second', () => {
  const allowance = new RetryAllowance(clock);
  const taken = (calls: number) => {
    let count = 0;
    times(calls, () => {
      allowance.called();
      if (allowance.take()) count += 1;
    });
    return count;
  };
  taken(200);
  expect(taken(1_000)).toBeLessThanOrEqual(201);
  nowMs += 1_000;
  expect(taken(10)).toBe(7);
});

describe('a note', () => {
  const attempts: RoutingNote['attempts'] = [
    { upstream: 'b', outcome: 'skipped', ms: null },
    { upstream: 'a"]', outcome: 'late', ms: 312 },
    { upstream: 'c', outcome: 'answered', ms: 40 },
  ];
  test.each<[RoutingNote, string | undefined]>([
    [{ by: 'price', healthy: 3, of: 3, attempts: [] }, 'p3/3'],
    [{ by: 'order', healthy: 2, of: 3, attempts }, undefined],
  ])('is read as it was written: %j', (note, text) => {
    expect(parseNote(noteText(note))).toEqual(note);
    expect(noteText(note)).toBe(text ?? noteText(note));
  });

  test('says in words why and what happened', () => {
    const note: RoutingNote = { by: 'price', healthy: 2, of: 3, attempts };
    expect(reasonOf(note, 'c')).toBe(
      'c answered: the lowest cost of 2 healthy upstreams (of 3); b was passed over, its circuit open; a"] was late after 312 ms.',
    );
  });

  test('is null where it cannot be read', () => {
    expect(parseNote('?')).toBeNull();
  });
});
