import type { Limits } from '../limits.ts';
import { SandboxError, type Tier } from '../types.ts';
export async function openGvisor(_limits: Limits): Promise<Tier> {
  throw new SandboxError('not there');
}
