import { useQuery } from '@tanstack/react-query';
import { isKnown, meQuery } from '../api/me.ts';

/** Whether whoever opens a page for signed-out people is signed in. A browser in which nobody was is not asked. */
export const useIsSignedIn = (isAsked = true): boolean =>
  useQuery({ ...meQuery, enabled: isAsked && isKnown(), refetchOnWindowFocus: false }).isSuccess;
