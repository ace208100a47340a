import type { ReactNode } from 'react';

/** A part of the settings that folds away. What is set in it is named beside its title. */
export function Fold({
  title,
  note,
  isOpen = false,
  children,
}: {
  title: string;
  note?: ReactNode;
  isOpen?: boolean;
  children: ReactNode;
}) {
  return (
    <details className="fold" open={isOpen}>
      <summary>
        <span className="fold-title">{title}</span>
        {note && <span className="fold-note">{note}</span>}
      </summary>
      <div className="fold-body">{children}</div>
    </details>
  );
}
