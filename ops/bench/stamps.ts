/** The stream of the stamped upstream. */
export const CHUNKS = 20;
export const CHUNK_MS = 5;

// Few digits, because each three of them are a token: the time repeats after a thousand seconds.
const PERIOD_MICROS = 1_000_000_000;

/** The current time as a chunk's text. All processes of a machine share this clock. */
export const stampOf = (micros = nowMicros()): string => ` ${String(micros % PERIOD_MICROS).padStart(9, '0')}`;

/** How long the whole chunks in these bytes of a stream were on their way, in milliseconds. */
export function waysMsIn(bytes: Buffer, micros = nowMicros()): number[] {
  const stamps = bytes.toString('latin1').matchAll(/"content":" (\d{9})"/g);
  return [...stamps].map(([, stamp]) => ((micros - Number(stamp) + PERIOD_MICROS) % PERIOD_MICROS) / 1_000);
}

function nowMicros(): number {
  return Number((process.hrtime.bigint() / 1_000n) % BigInt(PERIOD_MICROS));
}
