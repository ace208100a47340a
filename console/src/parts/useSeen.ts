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
    // A busy browser tells several states at once: the last one counts.
    const observer = new IntersectionObserver((entries) => entries.at(-1)?.isIntersecting && latest.current(), {
      rootMargin: AHEAD,
    });
    observer.observe(ref.current);
    return () => observer.disconnect();
  }, [since]);
  return ref;
}
