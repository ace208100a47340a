import type { Queryable } from './postgres/queryable.ts';

/** What the installation's processes share to sign the cursors of lists with. 32 bytes. */
export async function readCursorSecret(pool: Queryable): Promise<Uint8Array> {
  const { rows } = await pool.query<{ value: Uint8Array }>(`select value from secrets where name = 'cursors'`);
  return rows[0]!.value;
}
