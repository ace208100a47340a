/**
 * Results of tools in chats are texts: their files follow in a message of the user, which begins with one of these texts. It is no question
 * of the user.
 */
const OF_OUTPUT = 'Files of the output of ';
export const OF_PICTURES = 'The pictures of the results:';

/** What stands before the files of one result. */
export const introductionOf = (callId: string): string => `${OF_OUTPUT}${callId}:`;

interface Message {
  role?: unknown;
  content?: unknown;
}

/** Whether a message holds the files of the tool results right before it. */
export function holdsResultFiles(messages: readonly object[], at: number): boolean {
  const [before, message] = [messages[at - 1], messages[at]] as (Message | undefined)[];
  if (before?.role !== 'tool' || message?.role !== 'user' || !Array.isArray(message.content)) return false;
  const text = (message.content[0] as { text?: unknown } | undefined)?.text;
  return typeof text === 'string' && (text === OF_PICTURES || text.startsWith(OF_OUTPUT));
}
