import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { runCostOf, type RateCard, type RunCost } from '../../../../db/runs/cost/runCost.ts';

const NO_CAP = 10n ** 18n;

const rateCard: RateCard = {
  rates: [
    { meter: 'model_input_tokens', price_usd: 0.0000003 },
    { meter: 'model_output_tokens', price_usd: 0.0000025 },
    { meter: 'sandbox_seconds', price_usd: 0.00005 },
    { meter: 'tool_calls', price_usd: 0.0001 },
  ],
  network_fee_percentage: 10,
};

const sum = (cost: RunCost): bigint => cost.lines.reduce((total, line) => total + line.costNanos, 0n);

describe('the cost of a run', () => {
  test('is the sum of its meters, line by line, plus the fee', () => {
    const meters = { model_input_tokens: 1_000_000n, model_output_tokens: 200_000n, sandbox_seconds: 1_250n };
    expect(runCostOf({ rateCard, meters, capNanos: NO_CAP })).toEqual({
      lines: [
        line('model_input_tokens', 'token', 1_000_000n, 0.0000003, 300_000n),
        line('model_output_tokens', 'token', 200_000n, 0.0000025, 500_000n),
        line('sandbox_seconds', 'second', 1_250n, 0.00005, 62_500n),
      ],
      subtotalNanos: 862_500n,
      networkFeeNanos: 86_250n,
      totalNanos: 948_750n,
      platformCostNanos: 0n,
      subsidyNanos: 0n,
    });
  });

  test('is zero without consumption', () => {
    const price = { lines: [], subtotalNanos: 0n, networkFeeNanos: 0n, totalNanos: 0n };
    const none = { ...price, platformCostNanos: 0n, subsidyNanos: 0n };
    expect(runCostOf({ rateCard, meters: {}, capNanos: 0n })).toEqual(none);
  });

  test('does not include meters without a rate', () => {
    const { lines, totalNanos } = runCostOf({ rateCard, meters: { moonlight: 5_000n }, capNanos: NO_CAP });
    expect(totalNanos).toBe(0n);
    expect(lines).toEqual([line('moonlight', 'unit', 5_000n, 0, 0n)]);
  });

  test('rounds half up, once for all lines together', () => {
    const half = { rates: [{ meter: 'tool_calls', price_usd: 5e-10 }], network_fee_percentage: 0 };
    expect(runCostOf({ rateCard: half, meters: { tool_calls: 1_000n }, capNanos: NO_CAP }).subtotalNanos).toBe(1n);
    expect(runCostOf({ rateCard: half, meters: { tool_calls: 999n }, capNanos: NO_CAP }).subtotalNanos).toBe(0n);
    const thirds = {
      rates: ['a', 'b', 'c'].map((meter) => ({ meter, price_usd: 4e-10 })),
      network_fee_percentage: 0,
    };
    const cost = runCostOf({ rateCard: thirds, meters: { a: 1_000n, b: 1_000n, c: 1_000n }, capNanos: NO_CAP });
    expect(cost.subtotalNanos).toBe(1n);
    expect(cost.lines.map(({ costNanos }) => costNanos)).toEqual([1n, 0n, 0n]);
  });

  test('is raised to the minimum by a separate line', () => {
    const meters = { tool_calls: 1_000n };
    const cost = runCostOf({ rateCard, meters, minimumNanos: 1_100_000n, capNanos: NO_CAP });
    expect(cost).toMatchObject({ subtotalNanos: 1_000_000n, networkFeeNanos: 100_000n, totalNanos: 1_100_000n });
    expect(cost.lines).toEqual([
      line('tool_calls', 'call', 1_000n, 0.0001, 100_000n),
      line('minimum_cost', 'run', 1_000n, 0.0009, 900_000n),
    ]);
  });

  test('stops at the cap, which reduces each line proportionally', () => {
    const meters = { tool_calls: 2_000n, sandbox_seconds: 4_000n };
    const cost = runCostOf({ rateCard, meters, capNanos: 220_000n });
    expect(cost).toMatchObject({ subtotalNanos: 200_000n, networkFeeNanos: 20_000n, totalNanos: 220_000n });
    expect(cost.lines.map(({ costNanos }) => costNanos)).toEqual([100_000n, 100_000n]);
  });

  test('refuses a price that no integer of pico-USD expresses', () => {
    const finer = { ...rateCard, rates: [{ meter: 'tool_calls', price_usd: 1e-13 }] };
    expect(() => runCostOf({ rateCard: finer, meters: { tool_calls: 1n }, capNanos: NO_CAP })).toThrow(RangeError);
  });
});
describe('the platform’s part of a price', () => {
  const passing = (price_usd: number, subsidised = false): RateCard => ({
    rates: [{ meter: 'model_output_tokens', price_usd, platform_cost_usd: 0.000002 }],
    network_fee_percentage: 10,
    subsidised,
  });
  const meters = { model_output_tokens: 1_000_000n };

  test('is paid out of the subtotal', () => {
    expect(runCostOf({ rateCard: passing(0.000005), meters, capNanos: NO_CAP })).toMatchObject({
      subtotalNanos: 5_000_000n,
      networkFeeNanos: 500_000n,
      totalNanos: 5_500_000n,
      platformCostNanos: 2_000_000n,
      subsidyNanos: 0n,
    });
  });

  test("takes precedence over the publisher's and the network's when the cap is too low for all", () => {
    const cost = (capNanos: bigint) => runCostOf({ rateCard: passing(0.000002), meters, capNanos });
    expect(cost(2_100_000n)).toMatchObject({
      subtotalNanos: 2_000_000n,
      networkFeeNanos: 100_000n,
      platformCostNanos: 2_000_000n,
    });
    expect(cost(1_500_000n)).toMatchObject({
      subtotalNanos: 1_500_000n,
      networkFeeNanos: 0n,
      platformCostNanos: 1_500_000n,
    });
  });

  test('is completed by the subsidy if there is one', () => {
    expect(runCostOf({ rateCard: passing(0.0000005, true), meters, capNanos: NO_CAP })).toMatchObject({
      subtotalNanos: 500_000n,
      networkFeeNanos: 50_000n,
      totalNanos: 550_000n,
      platformCostNanos: 2_000_000n,
      subsidyNanos: 1_500_000n,
    });
    expect(runCostOf({ rateCard: passing(0.000005, true), meters, capNanos: NO_CAP })).toMatchObject({
      platformCostNanos: 2_000_000n,
      subsidyNanos: 0n,
    });
  });
});

describe('for any quantities at any prices,', () => {
  const price = fc.record({ units: fc.nat(999_999), digits: fc.nat(12) });
  const percentage = fc.nat(1_000_000).map((parts) => parts / 10_000);
  // The platform's percentage of a price.
  const share = fc.nat(100);
  const metered = fc.array(fc.record({ price, share, quantity: fc.bigInt(0n, 10n ** 12n) }), { maxLength: 6 });
  const amount = fc.oneof(fc.bigInt(0n, 1_000n), fc.bigInt(0n, 10n ** 15n));
  const cases = fc.record({
    metered,
    percentage,
    minimumNanos: amount,
    capNanos: fc.oneof(amount, fc.constant(NO_CAP)),
  });
  type Case = typeof cases extends fc.Arbitrary<infer T> ? T : never;

  const priced = ({ metered: lines, percentage: fee, ...bounds }: Case) =>
    runCostOf({
      rateCard: {
        rates: lines.map(({ price: { units, digits }, share: percent }, index) => ({
          meter: `m${index}`,
          price_usd: Number(`${units}e-${digits}`),
          platform_cost_usd: Number(`${Math.floor((units * percent) / 100)}e-${digits}`),
        })),
        network_fee_percentage: fee,
      },
      meters: Object.fromEntries(lines.map(({ quantity }, index) => [`m${index}`, quantity])),
      ...bounds,
    });

  test('the lines sum to the subtotal, subtotal and fee to the total, and nothing is negative', () => {
    fc.assert(
      fc.property(cases, (input) => {
        const cost = priced(input);
        expect(sum(cost)).toBe(cost.subtotalNanos);
        expect(cost.subtotalNanos + cost.networkFeeNanos).toBe(cost.totalNanos);
        const parts = [cost.networkFeeNanos, ...cost.lines.map(({ costNanos }) => costNanos)];
        expect(parts.every((nanos) => nanos >= 0n)).toBe(true);
      }),
    );
  });

  test("the platform's cost is paid first, as far as the total allows", () => {
    fc.assert(
      fc.property(cases, (input) => {
        const { platformCostNanos, subtotalNanos, totalNanos, subsidyNanos } = priced(input);
        const exact = input.metered.map(({ price: { units, digits }, share: percent, quantity }) => {
          return BigInt(Math.floor((units * percent) / 100)) * 10n ** BigInt(12 - digits) * quantity;
        });
        const passedNanos = (exact.reduce((all, each) => all + each, 0n) + 500_000n) / 1_000_000n;
        expect(platformCostNanos).toBe(passedNanos < totalNanos ? passedNanos : totalNanos);
        expect([platformCostNanos <= subtotalNanos, subsidyNanos]).toEqual([true, 0n]);
      }),
    );
  });

  test('the total is between the minimum and the cap, and the cap takes precedence', () => {
    fc.assert(
      fc.property(cases, (input) => {
        const { totalNanos } = priced(input);
        expect(totalNanos <= input.capNanos).toBe(true);
        expect(totalNanos >= input.minimumNanos || totalNanos === input.capNanos).toBe(true);
      }),
    );
  });

  test('without bounds, every line and sum is within a nano-USD of the exact price', () => {
    fc.assert(
      fc.property(cases, ({ metered: lines, percentage: fee }) => {
        const cost = priced({ metered: lines, percentage: fee, minimumNanos: 0n, capNanos: 10n ** 30n });
        // Prices have at most twelve decimals, quantities three.
        const exact = lines.map(
          ({ price: { units, digits }, quantity }) => BigInt(units) * 10n ** BigInt(12 - digits) * quantity,
        );
        for (const [index, { costNanos }] of cost.lines.entries())
          expect(magnitude(costNanos * 1_000_000n - exact[index]!) < 1_000_000n).toBe(true);
        const total = exact.reduce((all, each) => all + each, 0n);
        expect(magnitude(cost.subtotalNanos * 1_000_000n - total) * 2n <= 1_000_000n).toBe(true);
        const feeParts = BigInt(Math.round(fee * 10_000));
        const off = magnitude(cost.networkFeeNanos * 1_000_000n - cost.subtotalNanos * feeParts);
        expect(off * 2n <= 1_000_000n).toBe(true);
      }),
    );
  });
});

const magnitude = (value: bigint): bigint => (value < 0n ? -value : value);

function line(meter: string, unit: string, quantityThousandths: bigint, priceUsd: number, costNanos: bigint) {
  return { meter, unit, quantityThousandths, priceUsd, platformCostUsd: 0, costNanos };
}
