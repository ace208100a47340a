import type { ProviderError, ProviderFault } from '../provider.ts';
import { Circuit, type CircuitOptions } from './circuit.ts';

/** An active alarm repeats at this interval, not with every call. */
const ALARM_MS = 60_000;

export type UpstreamHealth = ReturnType<typeof createUpstreamHealth>;

/** An operator has to act: the upstream refuses the platform's own key or account. */
export const ACCOUNT_ALARM =
  "an upstream refuses the platform's key or has no credit left: its models run elsewhere or not at all";
export type AccountAlarm = (upstream: string, error: ProviderError) => void;

/**
 * The health of one upstream, shared by its models: an upstream that is unreachable or silent is tried last, so that not every call waits
 * for its timeout (`Circuit`).
 */
export function createUpstreamHealth({
  name,
  onAlarm = () => undefined,
  onOutcome = () => undefined,
  nowMs = () => performance.now(),
  random,
}: {
  name: string;
  onAlarm?: AccountAlarm | undefined;
  /** Called with each answer and each failure. */
  onOutcome?: (upstream: string, outcome: 'answered' | ProviderFault) => void;
} & CircuitOptions) {
  const circuit = new Circuit({ nowMs, ...(random && { random }) });
  let alarmedAtMs = -Infinity;

  return {
    name,
    circuit,
    isHealthy: () => circuit.isClosed,
    /** Whether this call may try the upstream in its order: once per period after it was silent. */
    mayTry: () => circuit.mayTry(),
    answered(): void {
      if (!circuit.isClosed) circuit.answered();
      onOutcome(name, 'answered');
    },
    failed(error: ProviderError): void {
      onOutcome(name, error.fault);
      if (error.fault === 'stalled' || error.fault === 'unreachable') circuit.open('silent');
      if (error.fault !== 'account' || nowMs() < alarmedAtMs + ALARM_MS) return;
      alarmedAtMs = nowMs();
      onAlarm(name, error);
    },
  };
}
