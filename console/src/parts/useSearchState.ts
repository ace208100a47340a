import { useNavigate, useSearch } from '@tanstack/react-router';
import { useCallback } from 'react';

type Search = Record<string, string | undefined>;

/** Filters in the page's address, so that a view can be linked, reloaded and reached by the back button. Empty values are removed. */
export function useSearchState(): [Search, (change: Search) => void] {
  const search: Search = useSearch({ strict: false });
  const navigate = useNavigate();
  const set = useCallback(
    (change: Search) => {
      const next = (before: Search) => ({ ...before, ...change });
      void navigate({ to: '.', search: next, replace: true, resetScroll: false });
    },
    [navigate],
  );
  return [search, set];
}
