import type { Connection } from '@temporalio/client';
import type { NativeConnection } from '@temporalio/worker';
import { RUN_SEARCH_ATTRIBUTES } from '../workflows/contract.ts';

// Numbers of Temporal's IndexedValueType.
const KEYWORD = 2;
const DOUBLE = 4;

/** Registers the attributes by which operators list runs. Idempotent and safe to run in several workers at once. */
export async function ensureSearchAttributes(
  { operatorService }: Pick<Connection | NativeConnection, 'operatorService'>,
  namespace: string,
): Promise<void> {
  const { customAttributes } = await operatorService.listSearchAttributes({ namespace });
  const missing = Object.values(RUN_SEARCH_ATTRIBUTES).filter((name) => !(name in customAttributes));
  if (missing.length === 0) return;
  const types = missing.map((name) => [name, name === RUN_SEARCH_ATTRIBUTES.costUsd ? DOUBLE : KEYWORD]);
  await operatorService.addSearchAttributes({ namespace, searchAttributes: Object.fromEntries(types) });
}
