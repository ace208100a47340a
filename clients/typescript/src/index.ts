export {
  resultOf,
  type AgentInput,
  type Agents,
  type RunOptions,
  type RunResult,
  type StartOptions,
} from './agents.ts';
export type { Api } from './api.ts';
export { Ledgerline, type LedgerlineOptions } from './client.ts';
export * from './errors.ts';
export type { Download, Files, FileSource, OnProgress, UploadOptions } from './files.ts';
export type { components, operations, paths } from './generated/api.ts';
export type { Pages } from './pages.ts';
export type { ActionAnswer, OnAction, Runs, WaitOptions } from './runs.ts';
export { RunStream, type StreamOptions } from './runStream.ts';
export type * from './types.ts';
