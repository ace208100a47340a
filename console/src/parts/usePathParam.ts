import { useParams } from '@tanstack/react-router';

/** A part of the page's address that its path in `pages.ts` names: of `/runs/$id` its `id`. Empty where the path has no such part. */
export function usePathParam(name: string): string {
  const params: Record<string, string | undefined> = useParams({ strict: false });
  return params[name] ?? '';
}
