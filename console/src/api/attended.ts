const ATTENDED_MS = 60_000;
const INPUTS = ['pointerdown', 'pointermove', 'keydown', 'wheel', 'touchstart'];

let lastInputMs = performance.now();
for (const type of INPUTS)
  globalThis.addEventListener?.(type, () => (lastInputMs = performance.now()), { capture: true, passive: true });

/** Whether this page had input within the last minute. Without, its requests only refresh what it shows. */
export const isAttended = (): boolean => performance.now() - lastInputMs < ATTENDED_MS;
