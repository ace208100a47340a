import { goalOf, none, plainRow, type Row, short } from '../report.ts';
import { medianOf, percentileOf } from '../statistics.ts';
import type { Delivered } from './readers.ts';
import type { Compared, RunFigures } from './runs.ts';
import { STEPS, type StepsFigures } from './steps.ts';
import { RUN_PARTS } from './stage.ts';

/** The figures of runs, with their goals. The column raw-http shows bare Temporal. */
export function rowsOfRuns(figures: RunFigures): Row[] {
  const { accepted, alone, together, stepsAlone, steps, delivered, inFlight } = figures;
  return [
    comparedRow('run accepted, p50 ms (ratio: to bare Temporal’s start)', accepted, 0.5, 1.1),
    comparedRow('run accepted, p99 ms', accepted, 0.99),
    comparedRow('run start to end, 1 in flight, p50 ms (ratio: to a bare workflow)', alone, 0.5, 1.25),
    comparedRow('run start to end, 1 in flight, p99 ms', alone, 0.99),
    comparedRow(`run start to end, ${inFlight} in flight, p50 ms`, together, 0.5, 1.25),
    comparedRow(`run start to end, ${inFlight} in flight, p99 ms`, together, 0.99),
    comparedRow(`run of ${STEPS} steps start to end, 1 in flight, p50 ms`, stepsAlone, 0.5, 1.25),
    ...stepsRows(steps),
    ...deliveredRows(delivered),
  ];
}

function comparedRow(figure: string, rounds: Compared[], share: number, max?: number): Row {
  const at = (of: keyof Compared) => medianOf(rounds.map((round) => percentileOf(round[of], share)));
  const ratio = medianOf(rounds.map(({ ours, bare }) => percentileOf(ours, share) / percentileOf(bare, share)));
  const texts = { ours: short(at('ours')), raw: short(at('bare')), ratio: ratio.toFixed(2) };
  return { ...none, figure, ...texts, ...goalOf(ratio, { max }) };
}

function stepsRows({ costs, history, gapsMs }: StepsFigures): Row[] {
  const partText = (part: (typeof RUN_PARTS)[number]) =>
    `${part} ${medianOf(costs.map((cost) => cost[part])).toFixed(3)}`;
  const { events, activities, workflowTasks } = history;
  return [
    {
      ...plainRow(
        `core-seconds a run of ${STEPS} steps`,
        medianOf(costs.map((cost) => RUN_PARTS.reduce((sum, part) => sum + cost[part], 0))),
        { max: 0.2 },
      ),
      raw: RUN_PARTS.map(partText).join(', '),
    },
    {
      ...plainRow(`events of Temporal’s history a run of ${STEPS} steps`, events),
      raw: `activities ${activities}, workflow tasks ${workflowTasks}`,
    },
    plainRow('ms from a tool’s end to the next call of the model, p50', percentileOf(gapsMs, 0.5), { max: 20 }),
    plainRow('ms from a tool’s end to the next call of the model, p99', percentileOf(gapsMs, 0.99)),
  ];
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
