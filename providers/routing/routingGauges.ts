import type { UpstreamRouting } from './routing.ts';
import type { CircuitState } from './circuit.ts';

const STATES: Record<CircuitState, number> = { closed: 0, half_open: 1, open: 2 };
const LABELS = ['upstream', 'model'];

/** The circuits of a process, and how calls went in the last five minutes, of upstreams of models that have several. */
export function routingGauges({ states }: Pick<UpstreamRouting, 'states'>) {
  const gauge = (
    name: string,
    help: string,
    valueOf: (state: ReturnType<typeof states>[number]) => number | undefined,
  ) => ({
    name: `ledgerline_upstream_${name}`,
    help,
    labels: LABELS,
    read: () =>
      states().flatMap((state) => {
        const value = valueOf(state);
        return value === undefined ? [] : [{ labels: { upstream: state.upstream, model: state.model }, value }];
      }),
  });
  return [
    gauge('circuit', 'Circuit of an upstream for a model: 0 closed, 1 half open, 2 open', ({ state }) => STATES[state]),
    gauge('recent_calls', 'Attempts of the last five minutes', ({ calls }) => calls),
    gauge('recent_failures', 'Failed attempts of the last five minutes', ({ failures }) => failures),
    gauge(
      'recent_p95_seconds',
      'p95 of the first byte in the last five minutes',
      ({ p95Ms }) => p95Ms && p95Ms / 1_000,
    ),
  ];
}
