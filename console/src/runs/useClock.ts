import { useEffect, useState } from 'react';

const TICK_MS = 500;

/** The present time, which moves while a run is open. */
export function useClock(isMoving: boolean): number {
  const [nowMs, setNowMs] = useState(Date.now);
  useEffect(() => {
    if (!isMoving) return undefined;
    const timer = setInterval(() => setNowMs(Date.now()), TICK_MS);
    return () => clearInterval(timer);
  }, [isMoving]);
  return nowMs;
}
