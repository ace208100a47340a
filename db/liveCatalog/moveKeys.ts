import type { RowsOfAll } from '../postgres/rows.ts';
import type { SealingKeys } from '../sealing/sealingKeys.ts';
import { keyOwnerOf } from './composeCatalog.ts';

/** Seals the keys of upstreams again that an older key sealed. Returns how many. */
export function moveUpstreamKeys(everywhere: RowsOfAll['everywhere'], keys: SealingKeys): Promise<number> {
  return everywhere.transaction(async ({ em, CatalogChange, LockMode }) => {
    const held = await em.find(CatalogChange, { sealedKey: { $ne: null } }, { lockMode: LockMode.PESSIMISTIC_WRITE });
    const due = held.filter(({ sealedKey }) => !keys.isCurrent(sealedKey!));
    for (const { kind, name, sealedKey } of due) {
      const again = keys.seal(keys.open(sealedKey!, keyOwnerOf(name)), keyOwnerOf(name));
      await em.nativeUpdate(CatalogChange, { kind, name }, { sealedKey: again });
    }
    return due.length;
  });
}
