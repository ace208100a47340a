import { type BatchRound, CONCURRENCY, PACE } from './batches.ts';
import { goalOf, type Limit, none, type Row, short } from './report.ts';
import { medianOf } from './statistics.ts';

/** The column raw-http shows live calls, or those without a batch beside them. */
export function rowsOfBatches(rounds: BatchRound[]): Row[] {
  const row = (figure: string, of: (round: BatchRound) => [ours: number, other: number], goal: Limit = {}): Row => {
    const pairs = rounds.map(of);
    const ratio = medianOf(pairs.map(([ours, other]) => ours / other));
    const [ours, raw] = [0, 1].map((at) => short(medianOf(pairs.map((pair) => pair[at]!))));
    return { ...none, figure, ours: ours!, raw: raw!, ratio: ratio.toFixed(2), ...goalOf(ratio, goal) };
  };
  const paced = `live calls beside a batch, ${PACE.perSecond} a second`;
  return [
    row(
      `lines/s of a batch, ${CONCURRENCY} at once (ratio: to live calls)`,
      ({ lines, live }) => [lines.perSecond, live.perSecond],
      { min: 0.9 },
    ),
    row('worker CPU µs a line (ratio: to the API’s a live call)', ({ lines, live }) => [
      lines.processMicros,
      live.processMicros,
    ]),
    row('PostgreSQL CPU µs a line (ratio: to a live call)', ({ lines, live }) => [
      lines.databaseMicros,
      live.databaseMicros,
    ]),
    row(`p50 ms, ${paced} (ratio: to none)`, ({ beside, alone }) => [beside.p50Ms, alone.p50Ms]),
    row(`p99 ms, ${paced} (ratio: to none)`, ({ beside, alone }) => [beside.p99Ms, alone.p99Ms], { max: 1.2 }),
  ];
}
