import './agents.css';
import { useMemo } from 'react';
import { pathOf } from '../parts/pathOf.ts';
import { iconOf } from './icon.ts';

/** The icon of an agent: its publisher's picture, otherwise a drawing that is made of its name. */
export function AgentIcon({ id, size = 40, url }: { id: string; size?: number; url?: string | null }) {
  const { hue, cells } = useMemo(() => iconOf(id), [id]);
  if (url) return <img className="agent-icon" src={pathOf(url)} alt="" width={size} height={size} loading="lazy" />;
  return (
    <svg className="agent-icon" data-hue={hue} width={size} height={size} viewBox="0 0 40 40" aria-hidden>
      <rect className="agent-icon-ground" width="40" height="40" rx="10" />
      {cells.map(({ x, y, shape, isStrong }) => (
        <path
          key={`${x} ${y}`}
          className={isStrong ? 'agent-icon-strong' : 'agent-icon-soft'}
          d={shape}
          transform={`translate(${x} ${y})`}
        />
      ))}
    </svg>
  );
}

/** An agent in a table: its icon, its name, and its id below. */
export const AgentCell = ({ id, name, url }: { id: string; name: string; url?: string | null }) => (
  <span className="agent-cell">
    <AgentIcon id={id} size={24} url={url ?? null} />
    <span className="agent-cell-words" title={name}>
      {name}
      <span className="cell-sub agent-cell-id">{id}</span>
    </span>
  </span>
);
