import type { ProviderError } from './provider.ts';

/** How long calls go to other upstreams first after one that got no answer. */
const DEMOTED_MS = 30_000;
/** An alarm that stands is repeated this often, not with every call. */
const ALARM_MS = 60_000;

export type UpstreamHealth = ReturnType<typeof createUpstreamHealth>;

/** What the operator has to mend: the upstream refuses the platform's own key or account. */
export type AccountAlarm = (upstream: string, error: ProviderError) => void;

/**
 * What earlier calls have shown of one upstream, shared by its models. One that does not answer is demoted for 30 s: it is tried last, so
 * that not every call waits for its time limit. After that, one call every 30 s tries it first again, until it answers.
 */
export function createUpstreamHealth({
  name,
  onAlarm = () => undefined,
  nowMs = () => performance.now(),
}: {
  name: string;
  onAlarm?: AccountAlarm;
  nowMs?: () => number;
}) {
  let isDemoted = false;
  let demotedUntilMs = 0;
  let alarmedAtMs = -Infinity;

  return {
    isHealthy: () => !isDemoted,
    /** Whether this call may try the upstream in its turn. The call that may after a demotion is the only one for as long again. */
    mayTry(): boolean {
      if (!isDemoted) return true;
      if (nowMs() < demotedUntilMs) return false;
      demotedUntilMs = nowMs() + DEMOTED_MS;
      return true;
    },
    answered(): void {
      isDemoted = false;
    },
    failed(error: ProviderError): void {
      if (error.fault === 'stalled' || error.fault === 'unreachable') {
        isDemoted = true;
        demotedUntilMs = nowMs() + DEMOTED_MS;
      }
      if (error.fault !== 'account' || nowMs() < alarmedAtMs + ALARM_MS) return;
      alarmedAtMs = nowMs();
      onAlarm(name, error);
    },
  };
}
