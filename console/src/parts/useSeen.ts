import { useEffect, useRef } from 'react';

const AHEAD = '800px';

/** A ref whose element calls `onSeen` when it comes near the window, and again after each change of `since` while it stays there. */
export function useSeen(onSeen: () => void, since: unknown) {
  const ref = useRef<HTMLDivElement>(null);
  const latest = useRef(onSeen);
  useEffect(() => {
    latest.current = onSeen;
  });
  useEffect(() => {
    if (!ref.current) return undefined;
    const observer = new IntersectionObserver(([entry]) => entry?.isIntersecting && latest.current(), {
      rootMargin: AHEAD,
    });
    observer.observe(ref.current);
    return () => observer.disconnect();
  }, [since]);
  return ref;
}
