const kept = globalThis as { endTestDatabase?: () => Promise<void> };

/** Jest loads the two global files separately, so they share data through the global object. */
export function keepForTeardown(end: () => Promise<void>): void {
  kept.endTestDatabase = end;
}

export default async function globalTeardown(): Promise<void> {
  await kept.endTestDatabase?.();
}
