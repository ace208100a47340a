import type { ClientBase } from 'pg';
import { usdOf } from '../../money.ts';
import type { LockedRun } from '../lockRun.ts';
import { worthNanosOf } from './rowCost.ts';

/** What ended a run before its work was done: money, time, the number of its steps, or how much its model writes. */
export type LimitKind = 'cost' | 'timeout' | 'answer_timeout' | 'steps' | 'model_output_limit';

/** How often a run may ask its model: an agent that gets nowhere ends here. */
const modelStepsMax = 32;

const ANSWER_SECONDS = 24 * 3600;

/** The limit that a run has met, as callers see it: dollars, seconds or steps. */
export async function limitObject(
  client: ClientBase,
  run: LockedRun,
  { limit: kind, tokens = 0 }: { limit: LimitKind; tokens?: number },
) {
  switch (kind) {
    case 'cost':
      return costLimit(client, run);
    case 'timeout':
      return { kind: 'timeout', value: run.timeout_seconds, used: run.timeout_seconds };
    case 'answer_timeout':
      return { kind: 'timeout', value: ANSWER_SECONDS, used: ANSWER_SECONDS };
    case 'steps':
      return { kind: 'steps', value: modelStepsMax, used: modelStepsMax };
    case 'model_output_limit':
      return { kind, value: tokens, used: tokens };
    default:
      return kind satisfies never;
  }
}

// A hold smaller than the run's own maximum was all that the balance, or the key's ceiling, had left.
async function costLimit(client: ClientBase, run: LockedRun) {
  const heldNanos = BigInt(run.held_nanos);
  const usedNanos = worthNanosOf(run);
  const used = usdOf(usedNanos < heldNanos ? usedNanos : heldNanos);
  if (heldNanos >= BigInt(run.max_cost_nanos)) return { kind: 'max_cost', value: usdOf(heldNanos), used };
  const { rows } = await client.query(ROOM, [run.key_id]);
  const isKey = rows[0].key_free !== null && BigInt(rows[0].key_free) < BigInt(rows[0].available);
  return { kind: isKey ? 'key_spend' : 'balance', value: usdOf(heldNanos), used };
}

const ROOM = `select available, key_free from ledger_room($1)`;
