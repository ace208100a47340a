import { goalOf, none, type Row, short } from '../report.ts';
import { medianOf, percentileOf } from '../statistics.ts';
import type { Delivered } from './readers.ts';
import type { Compared, RunFigures } from './runs.ts';

/** The figures of runs, with their goals. The column raw-http shows bare Temporal. */
export function rowsOfRuns({ accepted, alone, together, delivered, inFlight }: RunFigures): Row[] {
  return [
    comparedRow('run accepted, p50 ms (ratio: to bare Temporal’s start)', accepted, 0.5, 1.1),
    comparedRow('run accepted, p99 ms', accepted, 0.99),
    comparedRow('run start to end, 1 in flight, p50 ms (ratio: to a bare workflow)', alone, 0.5, 1.25),
    comparedRow('run start to end, 1 in flight, p99 ms', alone, 0.99),
    comparedRow(`run start to end, ${inFlight} in flight, p50 ms`, together, 0.5, 1.25),
    comparedRow(`run start to end, ${inFlight} in flight, p99 ms`, together, 0.99),
    ...deliveredRows(delivered),
  ];
}

function comparedRow(figure: string, rounds: Compared[], share: number, max?: number): Row {
  const at = (of: keyof Compared) => medianOf(rounds.map((round) => percentileOf(round[of], share)));
  const ratio = medianOf(rounds.map(({ ours, bare }) => percentileOf(ours, share) / percentileOf(bare, share)));
  const texts = { ours: short(at('ours')), raw: short(at('bare')), ratio: ratio.toFixed(2) };
  return { ...none, figure, ...texts, ...goalOf(ratio, { max }) };
}

function deliveredRows(delivered: Delivered[]): Row[] {
  const readers = delivered[0]!.readers;
  const median = (figure: 'deliveredPerSecond' | 'cpuMicrosPerDelivery') =>
    short(medianOf(delivered.map((round) => round[figure])));
  return [
    { ...none, figure: `events/s to ${readers} readers of one run, all together`, ours: median('deliveredPerSecond') },
    { ...none, figure: 'CPU µs an event and reader', ours: median('cpuMicrosPerDelivery') },
  ];
}
