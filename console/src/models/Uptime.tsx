import { Status } from '../parts/Status.tsx';
import { uptimeOf } from './modelFacts.ts';

/** The share of calls that did not fail. */
export function Uptime({ of }: { of: Parameters<typeof uptimeOf>[0] }) {
  const uptime = uptimeOf(of);
  return uptime ? <Status {...uptime} /> : '—';
}
