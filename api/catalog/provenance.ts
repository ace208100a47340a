import type { EntryState } from '../../db/liveCatalog/composeCatalog.ts';
import { memberName } from './refusals.ts';

/** Where an entry of the catalogue comes from. */
export function provenanceOf({ isInFile, change, problem }: EntryState) {
  const members = change ? Object.keys(change.change).map(memberName) : [];
  const also = change ? [change.disabled !== null && 'disabled', change.sealedKey !== null && 'api_key'] : [];
  return {
    source: isInFile ? (change ? ('changed' as const) : ('file' as const)) : ('added' as const),
    changed_members: [...members, ...also.filter((one) => one !== false)],
    changed_by: change?.changer ?? null,
    changed_at: change?.changedAt.toISOString() ?? null,
    problem: problem ?? null,
  };
}
