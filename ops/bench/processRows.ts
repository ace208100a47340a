import type { ApiRound, ProcessFigures, Scaled } from './processes.ts';
import { none, plainRow, type Row, short } from './report.ts';
import { medianOf } from './statistics.ts';

/** The column raw-http shows one process. */
export function rowsOfProcesses(figures: ProcessFigures): Row[] {
  if (figures === null)
    return [
      { ...none, figure: 'two processes: not measured, neither valkey-server nor redis-server is here', ours: '' },
    ];
  const { spread, hot } = figures;
  return [...rowsOfScaled('many accounts', spread, 1.8), ...rowsOfScaled('one account', hot, 1.6)];
}

/** One process and two are measured on one core: what two lose there, they lose with a core each. */
function rowsOfScaled(accounts: string, scaled: Scaled, min: number): Row[] {
  const both = [...scaled.one, ...scaled.two];
  const sum = (figure: 'refusals' | 'errors') => both.reduce((total, round) => total + round[figure], 0);
  const scaling = medianOf(scaled.two.map((two, round) => (2 * scaled.one[round]!.apiMicros) / two.apiMicros));
  return [
    comparedRow(`req/s, 2 processes on one core (ratio: to 1 process on it), ${accounts}`, scaled, 'callsPerSecond'),
    comparedRow(`API CPU µs a call, 2 processes (ratio: to 1), ${accounts}`, scaled, 'apiMicros'),
    plainRow(`times 1 process, 2 with a core each (2 × its API CPU a call ÷ theirs), ${accounts}`, scaling, { min }),
    comparedRow(`PostgreSQL CPU µs a call, 2 processes (ratio: to 1), ${accounts}`, scaled, 'databaseMicros'),
    plainRow(`Valkey CPU µs a call, 2 processes, ${accounts}`, medianOf(scaled.two.map((two) => two.limitsMicros))),
    plainRow(`402 and 429 of a sufficient balance, ${accounts}`, sum('refusals'), { max: 0 }),
    plainRow(`errors, ${accounts}`, sum('errors'), { max: 0 }),
  ];
}

function comparedRow(figure: string, { one, two }: Scaled, of: keyof ApiRound): Row {
  const ratio = medianOf(two.map((round, at) => round[of] / one[at]![of]));
  const median = (rounds: ApiRound[]) => short(medianOf(rounds.map((round) => round[of])));
  return { ...none, figure, ours: median(two), raw: median(one), ratio: ratio.toFixed(2) };
}
