import type { components } from '../api/openapi.d.ts';
import { isObject } from '../parts/isObject.ts';

export type PublisherAgent = components['schemas']['PublisherAgent'];
export type Configuration = components['schemas']['Configuration'];
export type HttpTool = NonNullable<Configuration['http_tools']>[number];
export type Deployment = components['schemas']['Deployment'];
export type Version = components['schemas']['AgentVersionPage']['data'][number];
export type Feedback = Deployment['review_feedback'][number];

/** The server's findings in a draft, each at a path of it. */
export type FieldErrors = { path: string; message: string }[];

/** The form's context: the draft, the findings at a path, and a function that changes it. */
export interface DraftPart {
  draft: Configuration;
  errorOf: (place: string) => string | undefined;
  onChange: (part: Partial<Configuration>) => void;
}

/** A change between two configurations; `path` is a JSON pointer. */
export interface Change {
  op: 'add' | 'remove' | 'replace';
  path: string;
  from?: unknown;
  to?: unknown;
}

/** The differences between two configurations, member by member; a changed list is one change. */
export function changesBetween(from: object | null, to: object, path = ''): Change[] {
  const before = (from ?? {}) as Record<string, unknown>;
  const after = to as Record<string, unknown>;
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  return names.flatMap((name): Change[] => {
    const [one, other, place] = [before[name], after[name], `${path}/${name}`];
    if (JSON.stringify(one) === JSON.stringify(other)) return [];
    if (isObject(one) && isObject(other)) return changesBetween(one, other, place);
    if (one === undefined && isEmpty(other)) return [];
    const op = one === undefined ? 'add' : other === undefined ? 'remove' : 'replace';
    return [{ op, path: place, from: one, to: other }];
  });
}

const isEmpty = (value: unknown): boolean => value === null || (Array.isArray(value) && value.length === 0);
