export { Ledgerline, type LedgerlineOptions } from './client.ts';
export * from './errors.ts';
export type { components, operations, paths } from './generated/api.ts';
