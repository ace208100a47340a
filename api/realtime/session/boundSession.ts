import { isObject } from '../../../base/json.ts';
import type { Json } from '../../../providers/provider.ts';
import type { SessionInput } from './sessionConfig.ts';

// Null switches these off; elsewhere it leaves a part as it is.
const SWITCHES = new Set(['turn_detection', 'transcription']);
// Parts of a response that have members of their own.
const PARTS = new Set(['audio', 'output']);

/** A session with what a client secret binds in place of what its client says. */
export function withBound(session: Json, bound: SessionInput | undefined): Json {
  return bound ? merged(session, membersOf(bound)) : session;
}

/** A response without what a client secret binds: the session's is taken. */
export function withoutBound<Response extends Json>(response: Response, bound: SessionInput | undefined): Response {
  return bound ? (without(response, membersOf(bound)) as Response) : response;
}

function membersOf(bound: SessionInput): Json {
  const { model: _model, ...members } = bound as SessionInput & { model?: unknown };
  return members;
}

function merged(value: Json, over: Json): Json {
  const both = { ...value };
  for (const [name, member] of Object.entries(over)) {
    if (!isBound(name, member)) continue;
    const before = both[name];
    both[name] = isObject(member) && isObject(before) ? merged(before, member) : member;
  }
  return both;
}

function without(value: Json, over: Json): Json {
  const rest = { ...value };
  for (const [name, member] of Object.entries(over)) {
    if (!isBound(name, member)) continue;
    const before = rest[name];
    const left = PARTS.has(name) && isObject(member) && isObject(before) ? without(before, member) : {};
    if (Object.keys(left).length > 0) rest[name] = left;
    else delete rest[name];
  }
  return rest;
}

const isBound = (name: string, member: unknown): boolean =>
  member !== undefined && (member !== null || SWITCHES.has(name));
