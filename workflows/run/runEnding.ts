import { ActivityFailure, ApplicationFailure, isCancellation, TimeoutFailure } from '@temporalio/workflow';
import type { RunEnding } from '../../activities/index.ts';

type Failure = Omit<RunEnding & { status: 'failed' }, 'status'>;

const FAILURES: Record<string, Failure> = {
  provider: {
    fault: 'provider',
    code: 'provider_failed',
    message: 'The model failed to answer, also in retries. Nothing was billed. Start the run again later.',
  },
  overloaded: {
    fault: 'provider',
    code: 'overloaded',
    message:
      'The model was overloaded until the run’s timeout. Nothing was billed. Start the run again later, or with a longer timeout_seconds.',
  },
  empty: {
    fault: 'provider',
    code: 'empty_answer',
    message: 'The model ended without an answer, also in retries. Nothing was billed.',
  },
  content_policy: {
    fault: 'caller',
    code: 'content_policy_violation',
    message:
      'The model refused the input because of its content policy. Nothing was billed. Change the input and start the run again.',
  },
  refused: {
    fault: 'provider',
    code: 'provider_refused',
    message: 'The model refused the request. Nothing was billed.',
  },
  too_long: {
    fault: 'caller',
    code: 'context_length_exceeded',
    message:
      'The input and the results of the run are longer than the model’s context. Nothing was billed. Shorten the input or start a new session.',
  },
  plugin: {
    fault: 'agent',
    code: 'plugin_unavailable',
    message: 'A plugin of the agent is unavailable. Nothing was billed. Start the run again later.',
  },
  model_missing: {
    fault: 'agent',
    code: 'model_unavailable',
    message:
      'The model of this version is no longer offered. Nothing was billed. Run another version, or ask its publisher for one.',
  },
  suspended: { fault: 'agent', code: 'agent_suspended', message: 'The agent has been suspended. Nothing was billed.' },
  platform: {
    fault: 'platform',
    code: 'internal_error',
    message: 'The run failed because of an internal error. Nothing was billed.',
  },
};

/**
 * The ending of a run whose work threw. A step that was not done by the run's deadline ran out of time, whatever its last attempt waited
 * for: a worker, or the answer of a lost one.
 */
export function runEndingOf(error: unknown, deadlineMs: number | undefined): RunEnding {
  if (isCancellation(error)) return { status: 'cancelled' };
  // The failure of a local activity arrives without that of the activity around it.
  if (error instanceof ApplicationFailure) return failedBy(error);
  if (!(error instanceof ActivityFailure)) throw error;
  const { cause } = error;
  const isOver = deadlineMs !== undefined && Date.now() >= deadlineMs;
  if (cause instanceof TimeoutFailure && isOver) return { status: 'limit_reached', limit: 'timeout' };
  return cause instanceof ApplicationFailure ? failedBy(cause) : failed('platform');
}

/** The failure of a plugin has its id. */
function failedBy({ type, details }: ApplicationFailure): RunEnding {
  const ending = failed(type ?? 'platform');
  const [plugin] = details ?? [];
  if (type !== 'plugin' || typeof plugin !== 'string' || ending.status !== 'failed') return ending;
  return { ...ending, message: ending.message.replace('A plugin of the agent', `The plugin ${plugin} of the agent`) };
}

// An unknown kind is a platform error.
function failed(kind: string): RunEnding {
  return { status: 'failed', ...(FAILURES[kind] ?? FAILURES.platform!) };
}
