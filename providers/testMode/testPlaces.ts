import { createUpstreamHealth, type UpstreamHealth } from '../routing/upstreamHealth.ts';
import type { TestFault } from '../testFault.ts';

/** The names of the test upstreams in records of calls, in the order in which they are tried. */
const NAMES = ['test', 'test_second'];

/** Where a test call is tried, in order. Each call has its own health records, so that one caller's failure delays no other. */
export const testPlacesOf = (
  fault: TestFault | undefined,
): { health: UpstreamHealth; fault: TestFault | undefined }[] =>
  NAMES.map((name, index) => ({
    health: createUpstreamHealth({ name }),
    fault: index > 0 && fault?.isFirstOnly ? undefined : fault,
  }));
