import {
  BATCH_LINE_BYTES_MAX,
  BATCH_LINES_MAX,
  IDEMPOTENCY_KEY_CHARACTERS,
  MEMORY_CHARACTERS_MAX,
  NOTICE_DAYS,
  QUALITY_DAYS,
  RETENTION_DAYS,
  RUN_WAIT_SECONDS_MAX,
  TOPUP_USD_MAX,
  TOPUP_USD_MIN,
  sizeText,
} from '../../../base/limits.ts';
import { EVALUATION_RUNS_KEPT } from '../../../db/evaluations/evaluationRuns.ts';
import { STEP_BOUNDS, USUAL_STEPS } from '../../../db/publishing/rollout/rolloutSteps.ts';
import { CASES_MAX } from '../../evaluations/evaluationSchema.ts';
import { ROLLOUT_RULES } from '../../../db/publishing/rollout/rolloutVerdict.ts';
import { KEPT_MINUTES } from '../../../db/answers/answerPart.ts';
import { COMPLETION_HOURS, OPEN_BATCHES_MAX } from '../../../db/batches/batches.ts';
import type { Model } from '../../../db/catalog/catalog.ts';
import {
  BATCH_FILE_BYTES_MAX,
  DIRECTORY_DEPTH_MAX,
  FILE_BYTES_MAX,
  SESSION_BYTES_MAX,
  SESSION_ENTRIES_MAX,
  WORKSPACE_BYTES_MAX,
} from '../../../db/files/upload.ts';
import { CONTENT_CHARS_MAX } from '../../../db/contents/boundedContent.ts';
import { LOG_DAYS_MAX } from '../../../db/contents/contents.ts';
import { KEY_HOURS } from '../../../db/answers/idempotency.ts';
import { ITEM_HOURS } from '../../../db/answers/responseItems.ts';
import { QUOTE_MINUTES } from '../../../db/runs/cost/quotes.ts';
import { MEMORIES_PER_USER_MAX } from '../../../db/memories/memories.ts';
import { STATE_BYTES_MAX, STATE_VERSIONS_MAX } from '../../../db/sessions/sessionState.ts';
import { SCHEDULES_MAX } from '../../../db/schedules/schedules.ts';
import { FAILING_DAYS_MAX, RETRY_DELAYS_MS } from '../../../db/webhooks/attempts.ts';
import { ROTATION_HOURS } from '../../../db/sealing/signingSecrets.ts';
import { WEBHOOK_EVENT_TYPES } from '../../../db/events/eventTypes.ts';
import { WEBHOOK_BYTES_MAX } from '../../../db/webhooks/webhookBody.ts';
import { EVENT_TYPES as STRIPE_EVENT_TYPES } from '../../../providers/payments/paymentFacts.ts';
import { TEST_FAULTS } from '../../../providers/testFault.ts';
import { ANSWER_LIMIT_MS, EVALUATION_CASE_MS } from '../../../base/limits.ts';
import { MEDIA_BODY } from '../../../base/limits.ts';
import { SESSION_SECONDS_MAX } from '../../realtime/openRealtime.ts';
import { runEventTable } from '../../runs/eventSchemas.ts';
import { SOUND_SECONDS_MAX } from '../../../calls/sound/decodedSound.ts';
import { SOUND_BYTES_MAX } from '../../sound/soundForm.ts';
import { HTTP_TOOLS, TOOL_RESULT_CHARACTERS_MAX } from '../../../base/limits.ts';
import { clientWheel } from './clientWheel.ts';
import { DECLINES } from '../../testMode/testPayment.ts';

/** The values that replace `{{name}}` in the guides, from the code that enforces them, as Markdown. */
export function valuesOf({ baseUrl, models }: { baseUrl: string; models: readonly Model[] }): Record<string, string> {
  return {
    ...CONSTANTS,
    ...LISTS,
    baseUrl: baseUrl.replace(/\/$/, ''),
    clientWheel,
    textModel: models.find(({ kind }) => kind === 'text')?.id ?? 'MODEL',
  };
}

const count = (value: number) => value.toLocaleString('en-US');

const CONSTANTS: Record<string, string> = Object.fromEntries(
  Object.entries({
    answerHours: ANSWER_LIMIT_MS / 3_600_000,
    httpToolsMax: HTTP_TOOLS.perAgentMax,
    httpToolTimeout: HTTP_TOOLS.timeoutSeconds,
    httpToolTimeoutMax: HTTP_TOOLS.timeoutSecondsMax,
    httpToolTestSeconds: HTTP_TOOLS.testSecondsMax,
    httpToolAnswerBytes: sizeText(HTTP_TOOLS.answerBytesMax),
    resultCharacters: TOOL_RESULT_CHARACTERS_MAX,
    batchFileBytes: sizeText(BATCH_FILE_BYTES_MAX),
    batchHours: COMPLETION_HOURS,
    batchLineBytes: sizeText(BATCH_LINE_BYTES_MAX),
    batchLinesMax: BATCH_LINES_MAX,
    completionDropPoints: ROLLOUT_RULES.completionDropMax * 100,
    costRisePercent: Number(ROLLOUT_RULES.costRisePercentMax),
    directoryDepth: DIRECTORY_DEPTH_MAX,
    evaluationCasesMax: CASES_MAX,
    evaluationCaseMinutes: EVALUATION_CASE_MS / 60_000,
    evaluationRunsKept: EVALUATION_RUNS_KEPT,
    failingDays: FAILING_DAYS_MAX,
    fileBytes: sizeText(FILE_BYTES_MAX),
    idempotencyKeyMax: IDEMPOTENCY_KEY_CHARACTERS.max,
    idempotencyKeyMin: IDEMPOTENCY_KEY_CHARACTERS.min,
    contentBytes: sizeText(CONTENT_CHARS_MAX),
    itemHours: ITEM_HOURS,
    logDaysMax: LOG_DAYS_MAX,
    keptMinutes: KEPT_MINUTES,
    keyHours: KEY_HOURS,
    mediaBodyBytes: sizeText(MEDIA_BODY.bytesMax),
    noticeDays: NOTICE_DAYS,
    openBatchesMax: OPEN_BATCHES_MAX,
    planHoursMax: STEP_BOUNDS.hoursMax,
    planRunsMax: STEP_BOUNDS.runsMax,
    planRunsMin: STEP_BOUNDS.runsMin,
    qualityDays: QUALITY_DAYS,
    quoteMinutes: QUOTE_MINUTES,
    realtimeSessionSeconds: SESSION_SECONDS_MAX,
    retentionDays: RETENTION_DAYS,
    rolloutRunsMin: USUAL_STEPS[0]!.runsMin,
    rolloutStepsMax: STEP_BOUNDS.stepsMax,
    rotationHours: ROTATION_HOURS,
    runWaitSeconds: RUN_WAIT_SECONDS_MAX,
    schedulesMax: SCHEDULES_MAX,
    stateBytes: count(STATE_BYTES_MAX),
    stateVersions: STATE_VERSIONS_MAX,
    memoriesMax: MEMORIES_PER_USER_MAX,
    memoryCharacters: count(MEMORY_CHARACTERS_MAX),
    sessionBytes: sizeText(SESSION_BYTES_MAX),
    sessionEntries: SESSION_ENTRIES_MAX,
    soundHours: SOUND_SECONDS_MAX / 3600,
    soundMegabytes: SOUND_BYTES_MAX / 1e6,
    topupUsdMax: TOPUP_USD_MAX,
    topupUsdMin: TOPUP_USD_MIN,
    webhookBytes: sizeText(WEBHOOK_BYTES_MAX),
    workspaceBytes: sizeText(WORKSPACE_BYTES_MAX),
  }).map(([name, value]) => [name, typeof value === 'number' ? count(value) : value]),
);

const table = (head: string[], rows: string[][]): string =>
  [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');

const waitText = (ms: number): string =>
  ms < 60_000 ? `${ms / 1000} s` : ms < 3_600_000 ? `${ms / 60_000} min` : `${ms / 3_600_000} h`;

const LISTS: Record<string, string> = {
  declines: Object.entries(DECLINES)
    .map(([cents, reason]) => `\`.${cents.padStart(2, '0')}\` (${reason})`)
    .join(', '),
  faults: table(
    ['Value', 'What happens'],
    Object.entries(TEST_FAULTS).map(([name, what]) => [`\`${name}\``, what]),
  ),
  rolloutSteps: USUAL_STEPS.map(({ percentage, hoursMin }) => `${percentage} % for ${hoursMin} h`).join(', '),
  runEvents: table(
    ['Type', 'When', '`data`'],
    runEventTable.map(({ type, when, members }) => [`\`${type}\``, when, members.join(', ')]),
  ),
  stripeEvents: STRIPE_EVENT_TYPES.map((type) => `\`${type}\``).join(', '),
  webhookDelays: RETRY_DELAYS_MS.map(waitText).join(', '),
  webhookEvents: table(
    ['Type', 'When'],
    Object.entries(WEBHOOK_EVENT_TYPES).map(([type, when]) => [`\`${type}\``, when]),
  ),
};
