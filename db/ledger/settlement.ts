/**
 * One request to settle, as the database function reads it. Amounts are nano-USD as JSON numbers (exact up to nine million
 * dollars), `charge` at most what the hold covers; `usage` is kept for the caller to read.
 */
export interface Settlement {
  id: string;
  workspace: string;
  account: string;
  key: string;
  hold: string;
  cost: number;
  charge: number;
  route: string;
  model: string;
  status: number;
  cancelled: boolean;
  usage: object;
  held: number;
  started: string;
  first: number | null;
  duration: number;
  bytes: number;
}
