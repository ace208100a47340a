import type { Json } from '../../../providers/provider.ts';
import type { Script } from '../../../rules/scripted/script.ts';

/** What the models of the demonstration answer to a call. */
export const answerOf = (_body: Json): Script => ({ text: 'Certainly. Here is a short answer.', headDelayMs: 40 });
