import { useMe } from '../api/me.ts';

/** Whether the person makes and changes projects: those who manage keys or pay, unless they are limited to some. */
export function useMayChange(): boolean {
  const { scopes, project_ids: projectIds } = useMe();
  return projectIds === null && (scopes.includes('manage') || scopes.includes('billing'));
}
