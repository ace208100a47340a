/**
 * Loaded before a process's own program (`NODE_OPTIONS=--import=…`): gives it a wall clock that SIGUSR2 steps. `CLOCK_STEPS_MS` lists its
 * offsets, the first one from the beginning, as an administrator or a time server would set them. The monotonic clock is unaffected.
 */
const TrueDate = Date;
const offsetsMs = process.env.CLOCK_STEPS_MS!.split(',').map(Number);
let step = 0;

const now = (): number => TrueDate.now() + offsetsMs[step]!;

globalThis.Date = new Proxy(TrueDate, {
  construct: (target, args) => Reflect.construct(target, args.length === 0 ? [now()] : args) as Date,
  get: (target, name) => (name === 'now' ? now : (Reflect.get(target, name) as unknown)),
});

process.on('SIGUSR2', () => {
  step += 1;
  console.info(`the clock is off by ${offsetsMs[step]} ms`);
});
