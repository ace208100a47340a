import type { Pricing } from '../agents/pricing.ts';
import type { ResolvedAgent } from '../agents/resolveAgent.ts';
import type { Spender } from '../ledger.ts';
import type { InputItem } from './runRow.ts';

/** What was asked, and with whose money. Amounts in nano-USD. */
export interface NewRun {
  /** Chosen by the caller: a second call with the same id makes nothing new. */
  id: string;
  key: Spender;
  agent: ResolvedAgent;
  pricing: Pricing;
  visibility: 'public' | 'private';
  /** Null: a new session. */
  sessionId: string | null;
  input: string | InputItem[];
  maxCostNanos: bigint;
  onLimit: 'stop' | 'pause';
  onDisconnect: 'continue' | 'cancel';
  ifSessionBusy: 'reject' | 'enqueue' | 'interrupt';
  timeoutSeconds: number;
  startAfterSeconds: number;
  source: string;
  metadata: Record<string, string>;
  webhookUrl: string | null;
  webhookEvents: string[] | null;
  /** How many runs of the workspace may be open at once. */
  openRunsMax: number;
}
