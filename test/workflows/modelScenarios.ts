import type { Script } from '../../model/scripted/script.ts';
import type { RunStage, RunSetup } from '../support/runStage.ts';
import type { Scenario } from './scenario.ts';

const long = 'word '.repeat(400);

/** Plays with an upstream that does so whatever it is asked, until the run has told so many events of a type; then it answers. */
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

const anyText = { asymmetricMatch: (text: unknown) => typeof text === 'string' && text !== '' };

/** Ways through a run whose model does not simply answer. */
export const modelScenarios: Record<string, Scenario> = {
  modelAway: {
    promise: 'a run whose model cannot be had until its time is up fails for the provider, and costs nothing',
    ends: { status: 'failed', fault: 'provider', status_reason: 'provider_failed', total_nanos: '0' },
    play: (stage) => stage.runToEnd({ script: { status: 500 }, timeoutSeconds: 4 }),
  },
  modelOverloaded: {
    promise: 'a run whose model is overloaded until its time is up says so',
    ends: { status: 'failed', fault: 'provider', status_reason: 'overloaded', total_nanos: '0' },
    play: (stage) => stage.runToEnd({ script: { status: 429 }, timeoutSeconds: 4 }),
  },
  modelComesBack: {
    promise: 'a run outlives a model that cannot be had for a while',
    ends: { status: 'completed', fault: null },
    play: (stage) => playUntil(stage, { status: 503, retryAfterMs: 50 }, 'run.step.retrying', { count: 5 }),
  },
  modelBreaks: {
    promise: 'a run whose model breaks off in mid-answer every time fails; what it consumed is borne by the platform',
    ends: { status: 'failed', fault: 'provider', status_reason: 'provider_failed', total_nanos: '0' },
    play: (stage) => stage.runToEnd({ script: { text: long, fault: 'reset', faultAfterChunks: 30, delayMs: 10 } }),
  },
  modelRefuses: {
    promise: 'a request that the model refuses is not tried again',
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
    promise: 'a model that says nothing is asked once more; then the run fails and says why',
    ends: { status: 'failed', fault: 'provider', status_reason: 'empty_answer', total_nanos: '0', output: [] },
    play: (stage) => stage.runToEnd({ script: { text: '' } }),
  },
  answerGoesOn: {
    promise: 'an answer that is cut at the model’s own limit goes on',
    ends: {
      status: 'completed',
      output: [
        { type: 'output_text', text: 'The first part' },
        { type: 'output_text', text: anyText },
      ],
    },
    play: (stage) => stage.runToEnd({ script: { text: 'The first part', finishReason: 'length' } }),
  },
  answerEndless: {
    promise: 'an answer that does not end at the model’s own limits ends there, and not for its cost',
    ends: {
      status: 'limit_reached',
      status_reason: 'model_output_limit',
      limit: { kind: 'model_output_limit', value: 4096, used: 4096 },
      meters: inFull(8),
    },
    play: (stage) =>
      playUntil(stage, { text: 'On and on', finishReason: 'length' }, 'run.limit_reached', { input: 'Tell a tale.' }),
  },
};
