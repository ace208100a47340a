/** Limits that one folder enforces and another documents. `test/limits.test.ts` compares the reference with them. */

export const KIB = 1024;
export const MIB = 1024 * KIB;
export const GIB = 1024 * MIB;

/** Limits of a JSON body: bytes after inflation, and number of values (members and elements). */
export interface BodySize {
  bytesMax: number;
  valuesMax: number;
}

/** The default of a route. */
export const SMALL_BODY: BodySize = { bytesMax: 256 * KIB, valuesMax: 5_000 };
/** For texts of 200,000 characters and more; escaped, each can take six bytes. */
export const LONG_TEXT_BODY: BodySize = { bytesMax: 4 * MIB, valuesMax: 5_000 };
/** For lists of token numbers. */
export const TOKENS_BODY: BodySize = { bytesMax: 4 * MIB, valuesMax: 500_000 };
/** For conversations that contain images, audio and files. */
export const MEDIA_BODY: BodySize = { bytesMax: 64 * MIB, valuesMax: 100_000 };

/** Retention of the content of finished runs, of events, and of replaced session files. */
export const RETENTION_DAYS = 30;
/** The period over which an agent's quality and popularity are measured. */
export const QUALITY_DAYS = 30;
/** Notice period before a dearer version of an agent becomes the default. */
export const NOTICE_DAYS = 14;
/** Unverified namespaces a workspace may have. */
export const NAMESPACES_MAX = 5;

/** The period over which a workspace's submissions are counted. */
export const SUBMISSION_HOURS = 24;
/** Limits of a payment into the balance, in US dollars. */
export const TOPUP_USD_MIN = 5;
export const TOPUP_USD_MAX = 1_000;
/** How long a request may wait for its run: `Prefer: wait=n`. */
export const RUN_WAIT_SECONDS_MAX = 60;
/** Number of leading characters of a key that callers can see. */
export const KEY_PREFIX_CHARACTERS = 12;
/** The length of a text that an agent remembers. */
export const MEMORY_CHARACTERS_MAX = 2_000;
/** Pairs in the metadata of a response, run or session. */
export const METADATA_PAIRS_MAX = 16;
/** Calls of one batch. */
export const BATCH_LINES_MAX = 50_000;
/** The size limit of one line of a batch: a worker holds one for each call that it runs. */
export const BATCH_LINE_BYTES_MAX = 16 * MIB;
/** Characters of an `Idempotency-Key`. */
export const IDEMPOTENCY_KEY_CHARACTERS = { min: 8, max: 255 } as const;

// Limits of runs: the workflow enforces them, the database reports them to callers.

/** Model calls of one run, unless the agent's version has a maximum of its own. */
export const MODEL_STEPS = 32;
/** The largest maximum of a version. */
export const MODEL_STEPS_MAX = 1_000;

/** How long a caller may take to answer a run's question. */
export const ANSWER_LIMIT_MS = 24 * 3_600_000;

/** How long a program of an agent may run. */
export const PROGRAM_MS_MAX = 30_000;

/** Characters of a tool's result that its model reads. */
export const TOOL_RESULT_CHARACTERS_MAX = 65_536;

/** Limits of tools that are their publisher's own code. */
export const HTTP_TOOLS = {
  perAgentMax: 16,
  /** Of a call with its retries: usually, and the largest that a tool may name. */
  timeoutSeconds: 60,
  timeoutSecondsMax: 600,
  testSecondsMax: 20,
  answerBytesMax: MIB,
} as const;

/** How long the run of an evaluation's case may take: nobody answers its questions. */
export const EVALUATION_CASE_MS = 15 * 60_000;

/** How long a tool may continue after a graceful cancellation. */
export const CANCEL_GRACE_MS = 30_000;

/** After this long without a renewal of its lease, which it renews each second, a process may be dead. */
export const SILENT_SECONDS = 1.5;

/** A size as text: `25 MiB`, `256 KiB`. */
export function sizeText(bytes: number): string {
  const [unit, name] = bytes % GIB === 0 ? [GIB, 'GiB'] : bytes % MIB === 0 ? [MIB, 'MiB'] : [KIB, 'KiB'];
  return `${bytes / unit} ${name}`;
}
