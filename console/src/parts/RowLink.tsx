import { useRouter } from '@tanstack/react-router';
import type { MouseEvent, ReactNode } from 'react';

/** A link in a row of a table. The router's own link follows each change of the address, which fifty of them make slow. */
export function RowLink({ to, children }: { to: string; children: ReactNode }) {
  const router = useRouter();
  const follow = (event: MouseEvent) => {
    const isPlain = event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey;
    if (event.defaultPrevented || !isPlain) return;
    event.preventDefault();
    void router.navigate({ href: to });
  };
  return (
    <a href={to} className="row-link" onClick={follow}>
      {children}
    </a>
  );
}
