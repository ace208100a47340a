import { PLAYGROUND_DATABASE } from '../api/me.ts';

/**
 * A person's calls on the playground, kept in this browser alone: by person and workspace, the newest of each kind, until sign-out.
 * Keys and other secrets never pass through the playground. Where the browser keeps nothing, everything works without a history.
 */
export interface Kept {
  id: string;
  kind: string;
  title: string;
  updatedAt: string;
}

type Row<Item extends Kept = Kept> = { owner: string; place: string; id: string; kind: string; item: Item };

const STORE = 'items';
const ITEMS_MAX = 50;

/** Items that the browser refused to store, as in some private windows: kept while the page is open. */
const unkept = new Map<string, Row>();

/** Of one person in one workspace. */
export class History {
  readonly #owner: string;
  readonly #place: string;

  constructor({ owner, workspace }: { owner: string; workspace: string }) {
    this.#owner = owner;
    this.#place = `${owner}/${workspace}`;
  }

  /** The newest first. */
  async list<Item extends Kept>(kind: string): Promise<Item[]> {
    const rows = await this.#rows(kind);
    return rows.map(({ item }) => item as Item).toSorted((one, other) => (one.updatedAt < other.updatedAt ? 1 : -1));
  }

  async find<Item extends Kept>(id: string): Promise<Item | undefined> {
    const row = await inStore<Row<Item> | undefined>('readonly', (store) => store.get([this.#place, id]));
    return row?.item ?? (unkept.get(id)?.item as Item | undefined);
  }

  /** Adds or replaces an item; the oldest of its kind beyond the bound are removed. */
  async keep(item: Kept): Promise<void> {
    const row: Row = { owner: this.#owner, place: this.#place, id: item.id, kind: item.kind, item };
    const key = await inStore<IDBValidKey>('readwrite', (store) => store.put(row));
    if (key === undefined) unkept.set(item.id, row);
    const items = await this.list(item.kind);
    for (const { id } of items.slice(ITEMS_MAX)) await this.remove(id);
  }

  async remove(id: string): Promise<void> {
    unkept.delete(id);
    await inStore('readwrite', (store) => store.delete([this.#place, id]));
  }

  /** Removes the items of other people, whose sessions ended without signing out. */
  async removeOthers(): Promise<void> {
    const rows = (await inStore<Row[]>('readonly', (store) => store.getAll())) ?? [];
    for (const { owner, place, id } of rows)
      if (owner !== this.#owner) await inStore('readwrite', (store) => store.delete([place, id]));
  }

  async #rows(kind: string): Promise<Row[]> {
    const range = IDBKeyRange.bound([this.#place], [this.#place, []]);
    const rows = (await inStore<Row[]>('readonly', (store) => store.getAll(range))) ?? [];
    return [...rows, ...unkept.values()].filter((row) => row.kind === kind && row.place === this.#place);
  }
}

let opened: Promise<IDBDatabase> | undefined;

function open(): Promise<IDBDatabase> {
  opened ??= new Promise((resolve, reject) => {
    const request = indexedDB.open(PLAYGROUND_DATABASE, 1);
    request.addEventListener('upgradeneeded', () =>
      request.result.createObjectStore(STORE, { keyPath: ['place', 'id'] }),
    );
    request.addEventListener('success', () => {
      // Signing out in another tab deletes the database.
      request.result.addEventListener('versionchange', () => {
        request.result.close();
        opened = undefined;
      });
      resolve(request.result);
    });
    request.addEventListener('error', () => {
      opened = undefined;
      reject(request.error!);
    });
  });
  return opened;
}

/** The result of a request; undefined where the browser refuses, as in some private windows. */
async function inStore<Result>(
  mode: IDBTransactionMode,
  call: (store: IDBObjectStore) => IDBRequest,
): Promise<Result | undefined> {
  try {
    const database = await open();
    return await new Promise<Result>((resolve, reject) => {
      const request = call(database.transaction(STORE, mode).objectStore(STORE));
      request.addEventListener('success', () => resolve(request.result as Result));
      request.addEventListener('error', () => reject(request.error!));
    });
  } catch {
    return undefined;
  }
}
