import * as z from 'zod';
import { AGENT_UPSTREAM } from './variables/agentVariables.ts';
import { ALARMS } from './variables/alarmVariables.ts';
import { ARCHIVE } from './variables/archiveVariables.ts';
import { parseRanges } from './addressRanges.ts';
import { DATABASE } from './variables/databaseVariables.ts';
import { DOWNLOADS } from './variables/downloadVariables.ts';
import { SUBMISSION_HOURS } from './limits.ts';
import { PAYMENTS } from './variables/paymentVariables.ts';
import { textOf, withoutFiles } from './secretFiles.ts';
import { SIGN_IN } from './variables/signInVariables.ts';
import { TEMPORAL } from './variables/temporalVariables.ts';
import { TRACES } from './variables/traceVariables.ts';
import { address, oneOf, wholeNumber } from './variables/variableTypes.ts';

/** All environment variables of the programs: type, default and description. `.env.example` has the same lines. */
export const VARIABLES = {
  ...DATABASE,
  FILES_S3_URL: address('https?', 'https://KEY:SECRET@host/bucket').optional().meta({
    isSecret: true,
    about: "Store of files with S3's protocol, as https://KEY:SECRET@host/bucket/prefix?region=REGION",
    unset: 'files are in the database',
  }),
  FILES_STORED_IN: oneOf('store', 'database').optional().meta({
    about: 'Where new files go: store or database; those of the other place are read there',
    unset: 'store, if FILES_S3_URL is set',
  }),
  ...TEMPORAL,
  EMBEDDED_URL: address('https?', 'http://host:4100/v1')
    .optional()
    .meta({ about: 'The embedded model, as http://host:port/v1' }),

  HOST: z.string().default('127.0.0.1').meta({ about: 'Interface to listen on' }),
  PORT: wholeNumber(0, 65_535).default(4000).meta({ about: 'Port to listen on' }),
  API_PROCESSES: wholeNumber(1, 64)
    .default(1)
    .meta({ about: 'Processes of the API that share its ports; more than one need LIMITS_REDIS_URL' }),
  PUBLIC_URL: address('https?', 'https://api.example')
    .optional()
    .meta({ about: 'Address that clients know the API by, as https://host', unset: 'from HOST and PORT' }),
  TRUSTED_PROXIES: z
    .string()
    .transform((text, context) => {
      try {
        return parseRanges(text);
      } catch (error) {
        context.addIssue({ code: 'custom', message: (error as Error).message });
        return z.NEVER;
      }
    })
    .optional()
    .meta({
      about:
        'Addresses and ranges of proxies whose X-Forwarded-For and X-Forwarded-Proto count, as 10.0.0.0/8,192.0.2.7',
      unset: 'these headers are ignored',
    }),
  TLS_PORT: wholeNumber(0, 65_535)
    .default(4443)
    .meta({ about: 'Port of a second listener with TLS, which is opened when the two files are set' }),
  TLS_CERT_FILE: z.string().optional().meta({ about: 'Certificate of that listener, as a PEM file' }),
  TLS_KEY_FILE: z.string().optional().meta({ about: 'Private key of that listener, as a PEM file' }),
  MODEL_CATALOG_FILE: z.string().optional().meta({ about: 'Catalogue of models and prices', unset: 'catalog.json' }),
  LOG_LEVEL: oneOf('trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent')
    .default('info')
    .meta({ about: 'Least severe log line to write: trace, debug, info, warn or error' }),
  METRICS_PORT: wholeNumber(0, 65_535).optional().meta({
    about: 'Port of /metrics, /healthz and /readyz; under npm start the worker has the next one',
    unset: 'no such port',
  }),
  METRICS_HOST: z.string().default('127.0.0.1').meta({ about: 'Address on which that port listens' }),
  ...ALARMS,
  ...TRACES,
  DEFAULT_RPM_LIMIT: wholeNumber(1, 1_000_000)
    .default(600)
    .meta({ about: 'Requests a minute of a key without a limit of its own' }),
  DEFAULT_CONCURRENCY_LIMIT: wholeNumber(1, 100_000)
    .default(20)
    .meta({ about: 'Requests in flight of a key without a limit of its own' }),
  OPEN_RUNS_MAX: wholeNumber(1, 100_000).default(100).meta({ about: 'Runs of one workspace that may be open at once' }),
  UNBILLED_KEPT_DAYS: wholeNumber(31, 3_650).default(90).meta({ about: 'Days to keep unbilled calls and ended holds' }),
  ...ARCHIVE,
  SUBMISSIONS_PER_DAY_MAX: wholeNumber(1, 100_000)
    .default(20)
    .meta({ about: `Submissions for review of one workspace in ${SUBMISSION_HOURS} hours` }),
  REVIEW_COST_USD_MAX: z.coerce
    .number('must be a number')
    .min(0)
    .max(1_000)
    .multipleOf(0.000001)
    .default(1)
    .meta({ about: 'Most that the trials of one submission may cost the platform, in US dollars' }),
  NETWORK_FEE_PERCENTAGE: wholeNumber(0, 100)
    .optional()
    .meta({ about: "The platform's fee on top of an agent's prices, in per cent", unset: 'the last one, at first 10' }),
  LIMITS_REDIS_URL: address('rediss?', 'redis://host:6379').optional().meta({
    isSecret: true,
    about:
      'Valkey or Redis server that counts requests for all API processes together, and carries notices between all processes',
    unset: 'each process counts alone, and notices go through the database',
  }),
  ...PAYMENTS,
  SMTP_URL: address('smtps?', 'smtps://user:password@mail.example:465')
    .optional()
    .meta({ isSecret: true, about: 'Mail server with its login', unset: 'mails are kept on a page marked TEST' }),
  MAIL_FROM: z.string().default('Ledgerline <no-reply@localhost>').meta({ about: 'Sender of mails' }),
  ...SIGN_IN,
  UPSTREAM_IDLE_TIMEOUT_MS: wholeNumber(100, 600_000)
    .default(60_000)
    .meta({ about: "Longest silence within an upstream's stream, in milliseconds" }),
  UPSTREAM_ANSWER_TIMEOUT_MS: wholeNumber(100, 3_600_000)
    .default(600_000)
    .meta({ about: 'Longest wait for a whole answer of an upstream, in milliseconds' }),
  UPSTREAM_CONNECTIONS_MAX: wholeNumber(1, 10_000).default(256).meta({ about: 'Connections to one upstream' }),
  UPSTREAM_RETRY_BUDGET_MS: wholeNumber(100, 3_600_000).default(60_000).meta({
    about: 'After this time of a call no further upstream is tried, in milliseconds, unless its model says otherwise',
  }),
  LEDGER_LEASE_MS: wholeNumber(2_000, 300_000)
    .default(20_000)
    .meta({ about: 'How long the holds of a dead API process stay held, in milliseconds' }),
  RESUME_GRACE_MS: wholeNumber(0, 5_000).default(700).meta({
    about: 'How long a stream waits for its client to come back before its generation is ended, in milliseconds',
  }),
  SHUTDOWN_NOTICE_MS: wholeNumber(0, 60_000)
    .default(500)
    .meta({ about: 'How long an ending process is not ready before it refuses connections, in milliseconds' }),
  SHUTDOWN_GRACE_MS: wholeNumber(0, 600_000).default(20_000).meta({
    about: 'How long running calls may take after that before they are cut, in milliseconds',
  }),

  EMBEDDED_MODEL: oneOf('on', 'off')
    .default('on')
    .meta({ about: 'Whether `npm start` runs the embedded model: on or off' }),
  EMBEDDED_HOST: z.string().default('127.0.0.1').meta({ about: 'Interface that the embedded model listens on' }),
  EMBEDDED_PORT: wholeNumber(0, 65_535)
    .default(0)
    .meta({ about: 'Port that the embedded model listens on', unset: 'any free one' }),
  EMBEDDED_MODEL_FILE: z
    .string()
    .optional()
    .meta({ about: 'Model file in GGUF format', unset: 'fetched once into the data folder' }),
  EMBEDDED_QUEUE_MAX: wholeNumber(0, 10_000).default(256).meta({ about: 'Calls that may wait for the embedded model' }),
  EMBEDDED_CONTEXT_TOKENS: wholeNumber(256, 8192)
    .default(4096)
    .meta({ about: 'Tokens of one call, prompt and answer together' }),
  // One thread measured fastest for the whole machine: a second one starves the API beside it.
  EMBEDDED_THREADS: wholeNumber(1, 64).default(1).meta({ about: 'Threads that compute' }),

  EMBEDDED_ENGINES: oneOf('neural', 'basic').default('neural').meta({
    about: 'Engines of sound: neural ones, which are fetched once, or the basic ones alone',
  }),
  EMBEDDED_VOICES: oneOf('auto', 'flite', 'piper', 'kokoro').default('auto').meta({
    about:
      'Voices of the speech model: flite, piper, kokoro, or auto, which is Kokoro where it is fast enough and free',
  }),
  EMBEDDED_SPEECH_THREADS: wholeNumber(1, 64)
    .default(1)
    .meta({ about: 'Sentences that the embedded voices speak at once, each in a thread' }),
  EMBEDDED_SPEECH_CALLS_MAX: wholeNumber(1, 10_000).default(64).meta({ about: 'Texts that may be spoken at once' }),
  EMBEDDED_TRANSCRIPTIONS: wholeNumber(1, 64)
    .default(1)
    .meta({ about: 'Transcriptions at once, each a process with some 200 MB' }),
  EMBEDDED_TRANSCRIPTION_QUEUE_MAX: wholeNumber(0, 10_000)
    .default(32)
    .meta({ about: 'Transcriptions that may wait in the queue' }),

  EMBEDDED_AGENT_MODEL: oneOf('qwen2.5-coder-1.5b').optional().meta({
    about:
      'Language model that agents use on this machine: qwen2.5-coder-1.5b (1.1 GB, fetched once; 2.5 GB of memory)',
    unset: 'the rehearsal model: rules',
  }),
  AGENT_MODEL: z.string().optional().meta({
    about: 'Model of the catalogue that agents use',
    unset: "that of AGENT_UPSTREAM_KEY, EMBEDDED_AGENT_MODEL, the catalogue's choice, else its first text model",
  }),
  ...AGENT_UPSTREAM,
  MODEL_RETRY_DELAY_MAX_SECONDS: z.coerce
    .number('must be a number of seconds')
    .min(0.1)
    .max(3_600)
    .default(60)
    .meta({ about: 'Longest delay before a run retries a failing model, in seconds' }),
  WORKER_BUILD_ID: z
    .string()
    .regex(/^[\w.-]{1,100}$/, 'must be letters, digits, dots, hyphens and underscores')
    .optional()
    .meta({
      about: 'Version of this worker in a rolling deploy: runs stay with the version that began them',
      unset: 'all workers have the same version',
    }),
  BATCH_CONCURRENCY: wholeNumber(1, 1_000).default(4).meta({
    about: 'Lines of batches that one worker runs at once; while live calls come, it begins at most 200 a second',
  }),
  PLUGIN_SECRETS_KEY: z.string().optional().meta({
    isSecret: true,
    about:
      'Key that encrypts the credentials of plugins: 32 random bytes in base64; older keys, which only decrypt, follow after commas',
    unset: 'npm start creates one; the worker requires it',
  }),
  CONTENTS_KEY: z.string().optional().meta({
    isSecret: true,
    about:
      'Key that encrypts what keys with log_days keep of their calls: 32 random bytes in base64; older keys, which only decrypt, follow after commas',
    unset: 'npm start creates one; without it no key can keep contents',
  }),

  CATALOG_SECRETS_KEY: z.string().optional().meta({
    isSecret: true,
    about:
      'Key that encrypts the keys of upstreams that operators state in the console, and the client secrets of identity providers, for the API and the worker: 32 random bytes in base64; older keys, which only decrypt, follow after commas',
    unset: 'npm start creates one; elsewhere keys of upstreams come from the catalogue file alone',
  }),

  WEBHOOK_LOOPBACK: oneOf('on', 'off').default('off').meta({
    about: 'Whether webhooks may go to this machine, over http too, for development: on or off',
  }),

  SANDBOX_TIER: oneOf('quickjs', 'bwrap', 'gvisor').default('quickjs').meta({
    about: 'Sandbox of programs of agents: quickjs, bwrap or gvisor',
  }),
  SANDBOX_BWRAP: z.string().optional().meta({ about: 'Path of bubblewrap', unset: 'bwrap on the search path' }),
  SANDBOX_RUNSC: z.string().optional().meta({ about: "Path of gVisor's runsc", unset: 'runsc on the search path' }),

  ...DOWNLOADS,
  DATA_DIR: z.string().default('.data').meta({ about: 'Folder that keeps everything between starts' }),
  BACKUP_DIR: z.string().optional().meta({
    about: 'Folder of backups of the database that `npm start` runs, and of its log for them: best on another disk',
    unset: 'no backups',
  }),
  BOOTSTRAP_API_KEY: z
    .string()
    .refine(
      (secret) => /^sk_live_[0-9A-Za-z]{24,}$/.test(secret) && new Set(secret.slice('sk_live_'.length)).size >= 10,
      'must be sk_live_ and at least 24 letters and digits, 10 of them different: leave it empty, and a key is made and shown once',
    )
    .optional()
    .meta({
      isSecret: true,
      about: 'Key of the first workspace: sk_live_ and at least 24 letters and digits, 10 of them different',
      unset: 'made and shown once',
    }),
  BOOTSTRAP_CREDIT_USD: z
    .string()
    .regex(/^\d+(\.\d{1,9})?$/, 'must be an amount in US dollars, such as 25')
    .default('10')
    .meta({ about: 'Credit of the first workspace in US dollars' }),
  BOOTSTRAP_OWNER_EMAIL: z
    .email('must be a mail address')
    .default('owner@ledgerline.local')
    .meta({ about: 'Mail address of the first owner, who is an operator' }),
};

export type VariableName = keyof typeof VARIABLES;

/** The variables whose value may be read from the file named by `<NAME>_FILE`. */
export const SECRETS = (Object.keys(VARIABLES) as VariableName[]).filter((name) => VARIABLES[name].meta()?.isSecret);

type Values<Name extends VariableName> = { [N in Name]: z.output<(typeof VARIABLES)[N]> };

/**
 * The same environment with the secrets of files in it, for child processes.
 * @throws an error that names the variable with an unreadable file.
 */
export function withSecrets(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return withoutFiles(env, SECRETS);
}

/**
 * The values of these variables. An empty value counts as unset; a secret may be in the file named by `<NAME>_FILE`.
 * @throws an error that names each invalid variable, and each `needed` variable that is unset.
 */
export function readVariables<Name extends VariableName, Needed extends VariableName = never>(
  env: NodeJS.ProcessEnv,
  names: readonly Name[],
  needed: readonly Needed[] = [],
): Values<Name> & { [N in Needed]: NonNullable<Values<N>[N]> } {
  const values: Record<string, unknown> = {};
  const faults: string[] = [];
  for (const name of [...names, ...needed]) {
    const parsed = VARIABLES[name].safeParse(rawValue(env, name, faults));
    if (!parsed.success) faults.push(...parsed.error.issues.map(({ message }) => `${name}: ${message}`));
    else if (parsed.data === undefined && needed.some((one) => one === name)) faults.push(`${name}: is not set`);
    else values[name] = parsed.data;
  }
  if (faults.length > 0) throw new Error(faults.join('; '));
  return values as Values<Name> & { [N in Needed]: NonNullable<Values<N>[N]> };
}

function rawValue(env: NodeJS.ProcessEnv, name: VariableName, faults: string[]): string | undefined {
  if (!SECRETS.includes(name)) return env[name] || undefined;
  try {
    return textOf(env, name);
  } catch (error) {
    faults.push((error as Error).message);
    return undefined;
  }
}
