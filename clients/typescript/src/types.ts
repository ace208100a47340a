import type { components } from './generated/api.ts';

/** Every named schema of the API: `Schemas['Invoice']`. */
export type Schemas = components['schemas'];

export type Agent = Schemas['Agent'];
export type BillKeys = Schemas['BillKeys'];
export type Receipt = Schemas['Receipt'];
export type Run = Schemas['Run'];
export type RunAnswer = Schemas['RunAnswer'];
export type RunEvent = Schemas['RunEvent'];
export type RunOrder = Schemas['RunOrder'];
export type RequiredAction = Run['required_actions'][number];
export type OutputFile = Extract<Run['output'][number], { type: 'output_file' }>;
/** What a webhook delivers. */
export type WebhookEvent = Schemas['Event'];
/** A file that was uploaded for agents. */
export type AgentFile = Exclude<Schemas['File'], Schemas['OpenAiFile']>;
