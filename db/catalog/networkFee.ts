import assert from 'node:assert/strict';
import { newId } from '../ids.ts';
import type { Pool } from 'pg';

/** The fee of an installation that never set any. */
const PERCENTAGE_AT_FIRST = 10;

/** The platform's fee on top of an agent's prices, in per cent: the newest row of its price, so that all processes charge the same. */
export async function readNetworkFee(pool: Pool): Promise<number> {
  const { rows } = await pool.query<{ percentage: string }>({ name: 'network_fee', text: NEWEST });
  const percentage = Number(rows[0]?.percentage ?? PERCENTAGE_AT_FIRST);
  assert(Number.isInteger(percentage) && percentage >= 0 && percentage <= 100, 'the recorded network fee is one');
  return percentage;
}

/** Records the fee a process was started with, if it differs from the newest. Undefined: it was started without a fee. */
export async function recordNetworkFee(pool: Pool, percentage: number | undefined): Promise<void> {
  if (percentage === undefined || percentage === (await readNetworkFee(pool))) return;
  await pool.query(RECORD, [newId('price'), JSON.stringify({ percentage: String(percentage) })]);
}

// The fee is a row of the price book. No model's name begins with a slash.
const NEWEST = `select rates ->> 'percentage' as percentage from model_prices where model = '/network_fee' order by valid_from desc limit 1`;
const RECORD = `insert into model_prices (id, model, rates) values ($1, '/network_fee', $2)`;
