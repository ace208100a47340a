import type { ProviderError } from './provider.ts';

/** How long an upstream without an answer is tried last. */
const DEMOTED_MS = 30_000;
/** An active alarm is repeated this often, not for every call. */
const ALARM_MS = 60_000;

export type UpstreamHealth = ReturnType<typeof createUpstreamHealth>;

/** For the operator to fix: the upstream refuses the platform's own key or account. */
export type AccountAlarm = (upstream: string, error: ProviderError) => void;

/**
 * The health of one upstream, shared by its models. One that does not answer is demoted for 30 s: it is tried last, so that not every
 * call waits for its timeout. After that, one call every 30 s tries it first again, until it answers.
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
    /** Whether this call may try the upstream in its order. After a demotion only one call may, once per period. */
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
