import type { Schemas } from '../../src/index.ts';
import { briefTime, number, span, time, usd } from '../format.ts';
import { out } from '../terminal/colors.ts';
import { tableOf } from '../terminal/table.ts';

type EndedRequest = Schemas['EndedRequest'];

/** A call as a line of its own, for a list that grows. */
export function requestLine(request: EndedRequest): string {
  const { id, settled_at, model, route, duration_ms, cost_usd, error } = request;
  const parts = [
    out.dim(time(settled_at)),
    statusText(request),
    model ?? route,
    unitsText(request),
    span(duration_ms),
    usd(cost_usd),
    out.dim(id),
    error && out.red(`${error.code}: ${error.message}`),
  ];
  return parts.filter(Boolean).join('  ');
}

export function requestsText(requests: EndedRequest[]): string {
  if (requests.length === 0) return 'No calls fit.';
  return tableOf(
    [
      { title: 'when', text: ({ settled_at }) => time(settled_at), brief: ({ settled_at }) => briefTime(settled_at) },
      { title: 'status', text: statusText },
      { title: 'model', shrinks: true, text: ({ model, route }) => model ?? route },
      { title: 'key', optional: true, shrinks: true, text: ({ key_name, key_prefix }) => key_name ?? key_prefix },
      { title: 'units', optional: true, shrinks: true, text: unitsText },
      { title: 'took', align: 'right', text: ({ duration_ms }) => span(duration_ms) },
      { title: 'cost', align: 'right', text: ({ cost_usd }) => usd(cost_usd) },
      { title: 'id', text: ({ id }) => id },
    ],
    requests,
  );
}

function statusText({ status, cancelled, calls }: EndedRequest): string {
  const text = `${status}${calls > 1 ? ` x${calls}` : ''}`;
  if (status < 400) return out.green(text);
  return cancelled ? out.yellow(text) : out.red(text);
}

const unitsText = ({ usage }: EndedRequest): string =>
  usage.map(({ unit, quantity }) => `${number(quantity)} ${unit.replaceAll('_', ' ')}`).join(', ');
