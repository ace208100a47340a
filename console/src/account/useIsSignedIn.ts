import { useQuery } from '@tanstack/react-query';
import { isKnown, meQuery } from '../api/me.ts';

/** Whether the person who opens a page for signed-out people is signed in. Not asked in a browser without an earlier sign-in. */
export const useIsSignedIn = (isAsked = true): boolean =>
  useQuery({ ...meQuery, enabled: isAsked && isKnown(), refetchOnWindowFocus: false }).isSuccess;
