import { isTestWorkspace } from '../db/workspaces/mode.ts';
import type { TestCall } from '../providers/provider.ts';
import { TEST_FAULT_METADATA, testFaultIn, type TestFault } from '../providers/testFault.ts';

/** What the calls of a test workspace ask of their upstreams; undefined for a live one. */
export const testOf = (workspaceId: string, fault?: TestFault): TestCall | undefined =>
  isTestWorkspace(workspaceId) ? { fault } : undefined;

/** The same for the calls that a batch or a run makes later: its metadata names their failure. */
export const laterTestOf = (
  workspaceId: string,
  metadata: Record<string, string> | null | undefined,
): TestCall | undefined => testOf(workspaceId, testFaultIn(metadata?.[TEST_FAULT_METADATA] ?? ''));
