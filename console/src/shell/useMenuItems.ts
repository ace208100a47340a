import { useMemo } from 'react';
import { useMe } from '../api/me.ts';
import { pages, type MenuItem } from '../pages.ts';

/** The pages with a line in a menu that this person may open. */
export function useMenuItems(): MenuItem[] {
  const { is_operator: isOperator, role, mode, project_ids: projectIds } = useMe();
  const isLimited = projectIds !== null;
  return useMemo(
    () =>
      pages.filter(
        (page): page is MenuItem =>
          page.menu !== undefined &&
          // Nothing is operated from a test workspace.
          (!page.isForOperators || (isOperator && mode === 'live')) &&
          !(isLimited && page.isOfWorkspace) &&
          (page.roles?.includes(role) ?? true),
      ),
    [isOperator, role, mode, isLimited],
  );
}
