import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useMemo } from 'react';
import { useMe } from '../api/me.ts';
import { History, type Kept } from './history.ts';

/** The history of this person in this workspace; live and test mode have their own. */
export function useHistory(): History {
  const { user, workspace, mode } = useMe();
  const history = useMemo(
    () => new History({ owner: user.id, workspace: `${workspace.id}/${mode}` }),
    [user.id, workspace.id, mode],
  );
  useEffect(() => void history.removeOthers(), [history]);
  return history;
}

/** The kept items of a kind, the newest first, and what changes them. */
export function useKept<Item extends Kept>(kind: Item['kind']) {
  const history = useHistory();
  const queries = useQueryClient();
  const queryKey = ['playground', 'history', kind];
  const { data } = useQuery({ queryKey, queryFn: () => history.list<Item>(kind), staleTime: Infinity });
  const changed = async (change: Promise<void>) => {
    await change;
    await queries.invalidateQueries({ queryKey });
  };
  return {
    items: data,
    find: (id: string) => history.find<Item>(id),
    keep: (item: Item) => changed(history.keep(item)),
    remove: (id: string) => changed(history.remove(id)),
  };
}
