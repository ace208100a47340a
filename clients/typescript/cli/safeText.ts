// The colours of this program, and what would steer a terminal or turn the order of its characters around.
const COLOR = '\u001b\\[(?:0|1|2|22|3[1-6]|39)m';
const STEERING = new RegExp(`${COLOR}|\\r\\n|[^\\P{Cc}\\n\\t]|[\\u202a-\\u202e\\u2066-\\u2069]`, 'gu');

/**
 * A text for a terminal. What agents, publishers and servers say can be shown, but not move the cursor, set the title or the clipboard, or
 * look like something else.
 */
export const safeText = (text: string): string =>
  text.replace(STEERING, (found) => (found === '\r\n' ? '\n' : found.length > 1 ? found : '\ufffd'));
