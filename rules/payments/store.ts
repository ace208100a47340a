import { randomUUID } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';

/** An object of Stripe's API: its type, its id, and any other members. */
export interface StripeObject {
  id: string;
  object: string;
  created: number;
  livemode: false;
  metadata: Record<string, string>;
  [member: string]: unknown;
}

/** Members of an object that a request sets. */
export type Members = Record<string, unknown>;

/** The objects of the test payments, kept in a file between starts. */
export class Store {
  readonly #file: string | undefined;
  readonly #objects: Map<string, StripeObject>;
  readonly #byIdempotencyKey = new Map<string, string>();

  constructor(file?: string) {
    this.#file = file;
    this.#objects = new Map(readObjects(file).map((object) => [object.id, object]));
  }

  /** Creates an object with an id in Stripe's form: `cs_test_…`, `pi_…`. The same idempotency key returns the same object. */
  create(kind: string, prefix: string, members: Members, idempotencyKey?: string): StripeObject {
    const known = idempotencyKey === undefined ? undefined : this.#byIdempotencyKey.get(`${kind} ${idempotencyKey}`);
    if (known !== undefined) return this.#objects.get(known)!;
    const id = `${prefix}_${randomUUID().replaceAll('-', '')}`;
    const object: StripeObject = { id, object: kind, created: nowSeconds(), livemode: false, metadata: {}, ...members };
    this.#objects.set(id, object);
    if (idempotencyKey !== undefined) this.#byIdempotencyKey.set(`${kind} ${idempotencyKey}`, id);
    this.#write();
    return object;
  }

  find(kind: string, id: string): StripeObject | undefined {
    const object = this.#objects.get(id);
    return object?.object === kind ? object : undefined;
  }

  /** All objects of a type that match the filter, newest first. */
  list(kind: string, isAsked: (object: StripeObject) => boolean = () => true): StripeObject[] {
    return [...this.#objects.values()].filter((object) => object.object === kind && isAsked(object)).toReversed();
  }

  change(object: StripeObject, members: Members): StripeObject {
    Object.assign(object, members);
    this.#write();
    return object;
  }

  #write(): void {
    if (this.#file !== undefined)
      writeFileSync(this.#file, JSON.stringify([...this.#objects.values()]), { mode: 0o600 });
  }
}

export const nowSeconds = (): number => Math.floor(Date.now() / 1000);

function readObjects(file: string | undefined): StripeObject[] {
  try {
    return file === undefined ? [] : (JSON.parse(readFileSync(file, 'utf8')) as StripeObject[]);
  } catch {
    // The first start, or a truncated file: test payments may be lost.
    return [];
  }
}
