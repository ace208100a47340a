/** A member of an `OpenList`, which alone sets its place. */
export interface Listed {
  listedAt?: number | undefined;
}

/**
 * What is open at the moment, such as running calls, each listed once. A `Set` that many members enter and leave is rebuilt all the time, and
 * each outgrown table that has become old keeps the next one with its members in memory until a major garbage collection: that was half of
 * what a call left behind.
 */
export class OpenList<Member extends Listed> implements Iterable<Member> {
  readonly #members: Member[] = [];

  get size(): number {
    return this.#members.length;
  }

  add(member: Member): void {
    member.listedAt = this.#members.push(member) - 1;
  }

  has(member: Member): boolean {
    return member.listedAt !== undefined && this.#members[member.listedAt] === member;
  }

  /** False: it was not listed. The last member takes its place. */
  delete(member: Member): boolean {
    if (!this.has(member)) return false;
    const last = this.#members.pop()!;
    if (last !== member) {
      this.#members[member.listedAt!] = last;
      last.listedAt = member.listedAt;
    }
    member.listedAt = undefined;
    return true;
  }

  /** The members of this moment. */
  [Symbol.iterator](): IterableIterator<Member> {
    return this.#members.slice().values();
  }
}
