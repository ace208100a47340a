import type { RowsOfAll } from '../postgres/rows.ts';
import { resealed, type OnLeft, type SealingKeys } from '../sealing/sealingKeys.ts';
import { keyOwnerOf } from './composeCatalog.ts';

/** Seals the keys of upstreams again that an older key sealed. Those that no key opens stay as they are, and are told of. */
export function moveUpstreamKeys(
  everywhere: RowsOfAll['everywhere'],
  keys: SealingKeys,
  onLeft: OnLeft,
): Promise<void> {
  return everywhere.transaction(async ({ em, CatalogChange, LockMode }) => {
    const held = await em.find(CatalogChange, { sealedKey: { $ne: null } }, { lockMode: LockMode.PESSIMISTIC_WRITE });
    const due = held.filter(({ sealedKey }) => !keys.isCurrent(sealedKey!));
    for (const { kind, name, sealedKey } of due) {
      const again = resealed(keys, { sealed: sealedKey!, owner: keyOwnerOf(name) }, (reason) =>
        onLeft(`the upstream ${name}: ${reason}`),
      );
      if (again !== undefined) await em.nativeUpdate(CatalogChange, { kind, name }, { sealedKey: again });
    }
  });
}
