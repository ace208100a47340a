import { activityInfo, ApplicationFailure, CancelledFailure, log } from '@temporalio/activity';
import { StepLost } from '../../db/runs/steps.ts';
import { ProviderError } from '../../providers/provider.ts';
import { PluginUnavailable } from '../../tools/plugin/plugin.ts';

const PROVIDER_ATTEMPTS_MAX = 3;

/**
 * What an activity's error is to the workflow: a kind that tells whose fault it is and whether another try makes sense. Its text goes into
 * the history, so it says nothing of what the run is about; the whole error goes into the log.
 */
export function failureOf(error: unknown): ApplicationFailure | CancelledFailure {
  if (error instanceof ApplicationFailure || error instanceof CancelledFailure) return error;
  if (error instanceof StepLost) return ApplicationFailure.nonRetryable('Somebody else has ended it.', 'lost');
  log.warn('a step failed', { error });
  if (error instanceof ProviderError) return providerFailure(error);
  if (error instanceof PluginUnavailable) return ApplicationFailure.retryable('A plugin cannot be used.', 'plugin');
  return ApplicationFailure.retryable('A fault of ours.', 'platform');
}

function providerFailure({ fault, retryAfterMs, detail }: ProviderError): ApplicationFailure {
  if (fault === 'refused') {
    const type = detail?.code === 'context_length_exceeded' ? 'too_long' : 'refused';
    return ApplicationFailure.nonRetryable('The model refused the request.', type);
  }
  const message = `The model's upstream: ${fault}.`;
  // Each attempt has tried every upstream of the model. A worker that is lost may cost more attempts than this.
  const nonRetryable = activityInfo().attempt >= PROVIDER_ATTEMPTS_MAX;
  return ApplicationFailure.create({ message, type: 'provider', nonRetryable, nextRetryDelay: retryAfterMs });
}
