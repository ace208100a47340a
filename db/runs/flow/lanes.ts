import { hash } from 'node:crypto';
import { isObject } from '../../../base/json.ts';
import type { PlaceKind, RunFlow } from '../../entities/flow.ts';
import type { InputItem } from '../../entities/run.ts';
import type { FlowRuleRow } from './rules.ts';

/** A place that a new run takes. */
export interface NewPlace {
  kind: PlaceKind;
  lane: string;
  key: string | null;
  limit: number | null;
  periodSeconds: number | null;
  ruleId: string | null;
  /** A run above the limit is refused instead of waiting. */
  refuses: boolean;
}

/** The places of a new run, and what its order said. */
export interface NewFlow {
  sent: RunFlow;
  places: NewPlace[];
}

/** The parts of an order that a key may point into. */
interface Keyed {
  agent: string;
  metadata: Record<string, string>;
  input: string | InputItem[];
}

/** The places that a run takes for its order and for the workspace's rule of its agent; undefined when it takes none. */
export function newFlowOf(order: Keyed, sent: RunFlow, rule: FlowRuleRow | null): NewFlow | undefined {
  const places = [...placesOfOrder(order, sent), ...(rule ? placesOfRule(order, rule) : [])];
  return places.length === 0 ? undefined : { sent, places };
}

const NO_RULE = { periodSeconds: null, ruleId: null, refuses: false };

function placesOfOrder({ agent }: Keyed, { concurrency, debounce }: RunFlow): NewPlace[] {
  const places: NewPlace[] = [];
  if (concurrency) {
    const { key, limit } = concurrency;
    places.push({ ...NO_RULE, kind: 'concurrency', lane: laneOf('concurrency', key), key, limit });
  }
  if (debounce) {
    const { key } = debounce;
    places.push({ ...NO_RULE, kind: 'debounce', lane: laneOf('debounce', agent, key), key, limit: null });
  }
  return places;
}

function placesOfRule(order: Keyed, rule: FlowRuleRow): NewPlace[] {
  const places: NewPlace[] = [];
  const { id: ruleId, agent, concurrencyLimit, rateLimit, ratePeriodSeconds } = rule;
  if (concurrencyLimit !== null) {
    const key = keyIn(order, rule.concurrencyKey);
    const lane = laneOf('concurrency of rule', agent, rule.concurrencyKey, key);
    places.push({
      kind: 'concurrency',
      lane,
      key,
      limit: concurrencyLimit,
      periodSeconds: null,
      ruleId,
      refuses: false,
    });
  }
  if (rateLimit !== null) {
    const key = keyIn(order, rule.rateKey);
    const lane = laneOf('rate of rule', agent, rule.rateKey, key);
    const refuses = rule.rateExceeded === 'refuse';
    places.push({ kind: 'rate', lane, key, limit: rateLimit, periodSeconds: ratePeriodSeconds, ruleId, refuses });
  }
  return places;
}

const laneOf = (...parts: (string | null)[]): string => hash('sha256', JSON.stringify(parts), 'base64url');

const KEY_CHARACTERS_MAX = 200;

/** The value at a JSON pointer (RFC 6901) into the order, as text. Null: there is none, and all such runs share one lane. */
function keyIn({ metadata, input }: Keyed, pointer: string | null): string | null {
  if (pointer === null) return null;
  const data = Array.isArray(input) ? input.find((item) => item.type === 'input_data')?.data : undefined;
  let value: unknown = { metadata, input: { data } };
  for (const token of pointer.split('/').slice(1)) {
    const name = token.replaceAll('~1', '/').replaceAll('~0', '~');
    const isIn = (isObject(value) || Array.isArray(value)) && Object.hasOwn(value, name);
    value = isIn ? (value as Record<string, unknown>)[name] : undefined;
  }
  if (value === undefined || value === null) return null;
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text.length <= KEY_CHARACTERS_MAX ? text : hash('sha256', text, 'base64url');
}

/** Pointers that a key may be: into the metadata, or into the data of a typed input. */
export const KEY_POINTER = /^\/(metadata|input\/data)(\/([^/~]|~[01])+)+$/;
