import type { Context } from './context.ts';
import type { paths } from './generated/api.ts';

type Answer<P extends keyof paths> = paths[P] extends {
  get: { responses: { 200: { content: { 'application/json': infer Body } } } };
}
  ? Body
  : never;

/** Where lists have their entries. */
type Member = 'data' | 'voices' | 'history' | 'roots' | 'tasks';
const MEMBERS: Member[] = ['data', 'voices', 'history', 'roots', 'tasks'];

type ListPath = {
  [P in keyof paths]: Answer<P> extends { has_more: boolean } | { nextPageToken: string } ? P : never;
}[keyof paths];
type Entry<P extends keyof paths> = {
  [M in Member]: Answer<P> extends Record<M, (infer One)[]> ? One : never;
}[Member];

type Parameters<P extends keyof paths> = paths[P] extends { get: { parameters: infer All } } ? All : never;
/** Path parameters are required where the path has some; `cursor` and its like are set by the iterator. */
type Place<P extends keyof paths> =
  Parameters<P> extends { path: infer Ids } ? { path: Ids; query?: Query<P> } : { query?: Query<P> };
type Query<P extends keyof paths> = Parameters<P> extends { query?: infer Asked } ? Asked : never;
type PlaceOf<P extends keyof paths> = object extends Place<P> ? [place?: Place<P>] : [place: Place<P>];

/** The entries of any list, from the first page to the last: `pages('/v1/runs', { query: { status: 'failed' } })`. */
export type Pages = <P extends ListPath>(path: P, ...place: PlaceOf<P>) => AsyncGenerator<Entry<P>, void, undefined>;

interface AnyPage extends Partial<Record<Member, unknown[]>> {
  has_more?: boolean;
  next_cursor?: string | null;
  next_page_token?: string | null;
  nextPageToken?: string;
  last_history_item_id?: string | null;
  last_id?: string | null;
}

export function createPages({ api }: Context): Pages {
  return async function* (path, ...[place]) {
    const { query, ...ids } = (place ?? {}) as { query?: object };
    let next: Record<string, unknown> | undefined = {};
    while (next) {
      const { data } = await api.GET(path as '/v1/runs', { params: { ...ids, query: { ...query, ...next } } });
      const page = data as AnyPage;
      const entries = MEMBERS.map((member) => page[member]).find(Boolean) ?? [];
      yield* entries as never[];
      next = nextOf(page, entries);
    }
  };
}

/** What the query of the next page adds; undefined after the last page. Each family of lists has a form of its own. */
function nextOf(page: AnyPage, entries: unknown[]): Record<string, unknown> | undefined {
  if (page.nextPageToken) return { pageToken: page.nextPageToken };
  if (!page.has_more) return undefined;
  if (page.next_cursor) return { cursor: page.next_cursor };
  if (page.next_page_token) return { next_page_token: page.next_page_token };
  if (page.last_history_item_id) return { start_after_history_item_id: page.last_history_item_id };
  if (page.last_id) return { after: page.last_id };
  const last = entries.at(-1) as { date?: string } | undefined;
  return last?.date ? { before: last.date } : undefined;
}
