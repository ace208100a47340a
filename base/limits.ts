/** Limits that one folder enforces and another one names to callers. `test/limits.test.ts` compares the README with them. */

export const KIB = 1024;
export const MIB = 1024 * KIB;
export const GIB = 1024 * MIB;

/** How long the content of a finished run, events, and replaced files of a session are kept. */
export const RETENTION_DAYS = 30;
/** The period that an agent's quality and popularity are measured over. */
export const QUALITY_DAYS = 30;
/** The period in which submissions of a namespace are counted. */
export const SUBMISSION_HOURS = 24;
/** A payment into the balance, in US dollars. */
export const TOPUP_USD_MIN = 5;
export const TOPUP_USD_MAX = 1_000;
/** How long a request may wait for its run: `Prefer: wait=n`. */
export const RUN_WAIT_SECONDS_MAX = 60;
/** The first characters of a key, which callers see of it. */
export const KEY_PREFIX_CHARACTERS = 12;
/** Pairs in the metadata of a response, run or session. */
export const METADATA_PAIRS_MAX = 16;
/** Characters of an `Idempotency-Key`. */
export const IDEMPOTENCY_KEY_CHARACTERS = { min: 8, max: 255 } as const;

/** A size as text: `25 MiB`, `256 KiB`. */
export function sizeText(bytes: number): string {
  const [unit, name] = bytes % GIB === 0 ? [GIB, 'GiB'] : bytes % MIB === 0 ? [MIB, 'MiB'] : [KIB, 'KiB'];
  return `${bytes / unit} ${name}`;
}
