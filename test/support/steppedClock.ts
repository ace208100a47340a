import { shiftedDate } from './shiftedDate.ts';

/**
 * Loaded before a process's own program (`NODE_OPTIONS=--import=…`): gives it a wall clock that SIGUSR2 steps. `CLOCK_STEPS_MS` lists its
 * offsets, the first one from the beginning, as an administrator or a time server would set them. The monotonic clock is unaffected.
 */
const offsetsMs = process.env.CLOCK_STEPS_MS!.split(',').map(Number);
let step = 0;

globalThis.Date = shiftedDate(Date, () => offsetsMs[step]!);

process.on('SIGUSR2', () => {
  step += 1;
  console.info(`the clock is off by ${offsetsMs[step]} ms`);
});
