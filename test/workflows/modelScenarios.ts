import type { Script } from '../../rules/scripted/script.ts';
import type { RunStage, RunSetup } from '../support/runStage.ts';
import type { Scenario } from './scenario.ts';

const long = 'word '.repeat(400);

/** Runs a scripted fault on every call until the run has this many events of a type; then the upstream answers. */
async function playUntil(
  stage: RunStage,
  script: Script,
  type: string,
  { count = 1, ...wish }: RunSetup & { count?: number },
) {
  stage.upstream.script(script);
  try {
    const run = await stage.makeRun(wish);
    await stage.workflows.start(run);
    await stage.untilEvent(run.id, type, count);
    stage.upstream.script({});
    return await stage.endOf(run.id);
  } finally {
    stage.upstream.script({});
  }
}

const inFull = (tokens: number) => ({
  asymmetricMatch: (meters: Record<string, number>) => Number(meters.model_output_tokens) > tokens * 1000,
});

const goingOnAfter = (start: string) => ({
  asymmetricMatch: (text: string) => text.startsWith(start) && text.length > start.length,
});

/** Paths through a run with a faulty model. */
export const modelScenarios: Record<string, Scenario> = {
  modelAway: {
    promise: 'a run whose model is unavailable until the deadline fails for the provider, and costs nothing',
    ends: { status: 'failed', fault: 'provider', status_reason: 'provider_failed', total_nanos: '0' },
    play: (stage) => stage.runToEnd({ script: { status: 500 }, timeoutSeconds: 4 }),
  },
  modelOverloaded: {
    promise: 'a run whose model is overloaded until the deadline fails with that reason',
    ends: { status: 'failed', fault: 'provider', status_reason: 'overloaded', total_nanos: '0' },
    play: (stage) => stage.runToEnd({ script: { status: 429 }, timeoutSeconds: 4 }),
  },
  keyRefused: {
    promise: 'a run whose upstream refuses the platform’s own key fails after few tries, long before its deadline',
    ends: { status: 'failed', fault: 'provider', status_reason: 'provider_failed', total_nanos: '0' },
    play: async (stage) => {
      const run = await stage.runToEnd({ script: { status: 401 }, timeoutSeconds: 86_400 });
      const retries = (await stage.eventsOf(run.id)).filter(({ type }) => type === 'run.step.retrying').length;
      if (retries !== 2) throw new Error(`retried ${retries} times`);
      return run;
    },
  },
  modelComesBack: {
    alone: true,
    promise: 'a run completes although its model is unavailable for a while',
    ends: { status: 'completed', fault: null },
    play: (stage) => playUntil(stage, { status: 503, retryAfterMs: 50 }, 'run.step.retrying', { count: 5 }),
  },
  modelBreaks: {
    promise: 'a run whose model breaks off every answer fails, and the platform pays for its consumption',
    ends: { status: 'failed', fault: 'provider', status_reason: 'provider_failed', total_nanos: '0' },
    play: (stage) => stage.runToEnd({ script: { text: long, fault: 'reset', faultAfterChunks: 30, delayMs: 10 } }),
  },
  modelRefuses: {
    promise: 'a request that the model refuses is not retried',
    ends: { status: 'failed', fault: 'provider', total_nanos: '0' },
    play: (stage) => stage.runToEnd({ script: { status: 400 } }),
  },
  inputTooLong: {
    promise: 'an input that the model cannot read is the caller’s fault',
    ends: { status: 'failed', fault: 'caller', total_nanos: '0' },
    play: (stage) => stage.runToEnd({ script: { status: 400, error: { code: 'context_length_exceeded' } } }),
  },
  inputRefused: {
    promise: 'an input that the model’s content policy refuses is the caller’s fault',
    ends: { status: 'failed', fault: 'caller', status_reason: 'content_policy_violation', total_nanos: '0' },
    play: (stage) => stage.runToEnd({ script: { status: 400, error: { code: 'content_policy_violation' } } }),
  },
  answerFiltered: {
    promise: 'an answer that the content filter stops fails the run and costs nothing',
    ends: {
      status: 'failed',
      fault: 'caller',
      status_reason: 'content_policy_violation',
      total_nanos: '0',
      output: [],
    },
    play: (stage) => stage.runToEnd({ script: { text: 'Well, ', finishReason: 'content_filter' } }),
  },
  answerEmpty: {
    promise: 'an empty answer of the model is retried once; then the run fails with the reason',
    ends: { status: 'failed', fault: 'provider', status_reason: 'empty_answer', total_nanos: '0', output: [] },
    play: (stage) => stage.runToEnd({ script: { text: '' } }),
  },
  answerGoesOn: {
    promise: 'an answer that is cut at the model’s own limit is continued, as one text',
    ends: {
      status: 'completed',
      output: [{ type: 'output_text', text: goingOnAfter('The first part') }],
    },
    play: (stage) => stage.runToEnd({ script: { text: 'The first part', finishReason: 'length' } }),
  },
  answerEndless: {
    alone: true,
    promise: 'an answer without end stops at the model’s own limits, not at the maximum cost',
    ends: {
      status: 'limit_reached',
      status_reason: 'model_output_limit',
      limit: { kind: 'model_output_limit', value: 4096, used: 3 },
      meters: inFull(8),
    },
    play: (stage) =>
      playUntil(stage, { text: 'On and on', finishReason: 'length' }, 'run.limit_reached', { input: 'Tell a tale.' }),
  },
};
