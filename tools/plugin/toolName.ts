import { createHash } from 'node:crypto';

const NAME_CHARACTERS_MAX = 64;

/**
 * The model's name for a plugin's tool: `<plugin>__<tool>`, in the characters and the length that OpenAI allows. A name that had to be
 * changed gets a hash of the original, so that two names stay different.
 */
export function toolNameOf(pluginId: string, toolName: string): string {
  const whole = `${pluginId}__${toolName}`;
  const fitting = whole.replaceAll(/[^a-zA-Z0-9_-]/g, '_');
  if (fitting === whole && whole.length <= NAME_CHARACTERS_MAX) return whole;
  const hash = createHash('sha256').update(whole).digest('hex').slice(0, 8);
  return `${fitting.slice(0, NAME_CHARACTERS_MAX - hash.length - 1)}_${hash}`;
}
