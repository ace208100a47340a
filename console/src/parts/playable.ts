import { pageAt } from './pageAt.ts';

const KINDS = ['text', 'speech', 'transcription', 'realtime'];

/** Whether the playground has a tool for models of that kind, or calls of that product. */
export const isPlayable = (kind: string | null | undefined): boolean => KINDS.includes(kind ?? '');

/** The playground with a model. */
export const playgroundWith = (model: string) => pageAt('/playground', { model });
