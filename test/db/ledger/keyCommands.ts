import * as fc from 'fast-check';
import { command, freeAll, type Command, type Step } from './command.ts';

const key = fc.nat(3);

/** Changes of keys while calls use them. */
export const keyCommands: fc.Arbitrary<Command>[] = [
  key.map((k) => command(`key ${k} is revoked, or is good again`, toggleKey(k))),
  fc
    .tuple(key, fc.option(fc.bigInt(0n, 30_000n), { freq: 4, nil: undefined }))
    .map(([k, ceiling]) => command(`the ceiling of key ${k} becomes ${ceiling ?? 'none'}`, setCeiling(k, ceiling))),
];

function toggleKey(k: number): Step {
  return async (model, real) => {
    const isRevoked = !model.keys[k]!.isRevoked;
    model.keys[k]!.isRevoked = isRevoked;
    const sql = `update api_keys set revoked_at = case when $2 then now() end where id = $1`;
    await real.db.pool.query(sql, [real.keys[k]!.keyId, isRevoked]);
    // A slice admits calls until it is returned: the guard refuses a revoked key.
    await freeAll(real);
  };
}

/** A ceiling below the current usage would be exceeded from the start. */
function setCeiling(k: number, wanted: bigint | undefined): Step {
  return async (model, real) => {
    const used = model.used(k);
    const ceiling = wanted !== undefined && wanted < used ? used : wanted;
    model.keys[k]!.ceiling = ceiling;
    await real.db.pool.query('update api_keys set spend_limit_nanos = $2 where id = $1', [
      real.keys[k]!.keyId,
      ceiling ?? null,
    ]);
    await freeAll(real);
  };
}
