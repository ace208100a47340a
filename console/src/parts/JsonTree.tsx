import type { ReactNode } from 'react';
import { countOf } from './totals.tsx';

const OPEN_DEPTH = 2;
const OPEN_MEMBERS_MAX = 40;

/** JSON with folds: objects and lists open at the first two levels. A text of several lines, as code often is, keeps them. */
export function JsonTree({ value }: { value: unknown }) {
  return (
    <div className="json" tabIndex={0} role="group" aria-label="JSON">
      {nodeOf({ value, depth: 0 })}
    </div>
  );
}

function nodeOf({ name, value, depth }: { name?: string; value: unknown; depth: number }): ReactNode {
  const label = name !== undefined && <span className="json-name">{name}: </span>;
  if (typeof value !== 'object' || value === null) {
    return (
      <div className="json-line">
        {label}
        {typeof value === 'string' && value.includes('\n') ? (
          <span className="json-string json-lines">{value}</span>
        ) : (
          <span className={`json-${value === null ? 'null' : typeof value}`}>{JSON.stringify(value)}</span>
        )}
      </div>
    );
  }
  const members = Object.entries(value);
  const [open, close] = Array.isArray(value) ? ['[', ']'] : ['{', '}'];
  if (members.length === 0) {
    return (
      <div className="json-line">
        {label}
        {open}
        {close}
      </div>
    );
  }
  return (
    <details open={depth < OPEN_DEPTH && members.length <= OPEN_MEMBERS_MAX}>
      <summary>
        {label}
        {open}
        <span className="json-count">{countOf(members.length, Array.isArray(value) ? 'item' : 'member')}</span>
      </summary>
      <div className="json-members">
        {members.map(([member, inner]) => (
          <div key={member}>{nodeOf({ name: member, value: inner, depth: depth + 1 })}</div>
        ))}
      </div>
      <div className="json-line">{close}</div>
    </details>
  );
}
