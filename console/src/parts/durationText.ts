const MINUTE_S = 60;
const HOUR_S = 3_600;
const DAY_S = 86_400;
/** What still rounds to a tenth below a minute. */
const TENTHS_MS = 59_950;

/** Milliseconds for people: `840 ms`, `1.24 s`, `42.0 s`, `1 min 12 s`, `2 h 5 min`, `3 d 4 h`. */
export const durationText = (ms: number | null | undefined): string => {
  if (ms === null || ms === undefined) return '—';
  if (Math.round(ms) < 1_000) return `${Math.round(ms)} ms`;
  if (ms < TENTHS_MS) return `${(ms / 1_000).toFixed(ms < 9_995 ? 2 : 1)} s`;
  const seconds = Math.round(ms / 1_000);
  if (seconds < HOUR_S) return inTwo(seconds, [MINUTE_S, 'min'], [1, 's']);
  const minutes = Math.round(seconds / MINUTE_S) * MINUTE_S;
  if (minutes < DAY_S) return inTwo(minutes, [HOUR_S, 'h'], [MINUTE_S, 'min']);
  return inTwo(Math.round(minutes / HOUR_S) * HOUR_S, [DAY_S, 'd'], [HOUR_S, 'h']);
};

type Unit = [seconds: number, name: string];

/** A rounded time in two units, or in the larger one alone where nothing is left. */
function inTwo(seconds: number, [large, name]: Unit, [small, smallName]: Unit): string {
  const rest = Math.floor((seconds % large) / small);
  const whole = `${Math.floor(seconds / large)} ${name}`;
  return rest === 0 ? whole : `${whole} ${rest} ${smallName}`;
}
