import { homedir } from 'node:os';
import { join } from 'node:path';

/** What the command line reads of its environment. */
export const config = {
  apiKey: process.env.LEDGERLINE_API_KEY || undefined,
  baseUrl: process.env.LEDGERLINE_BASE_URL || undefined,
  /** Where logins are kept. */
  folder: join(process.env.XDG_CONFIG_HOME || join(homedir(), '.config'), 'ledgerline'),
  /** How the person has called this program: what it proposes works the same way. */
  program: process.env.npm_command === 'exec' ? 'npx ledgerline' : 'ledgerline',
  /** Errors come with the place in the code. */
  isDebugging: Boolean(process.env.LEDGERLINE_DEBUG),
  /** Null: as the terminal has them. */
  colors: colorsOf(process.env),
  /** Pages can be opened, where a system needs a display for that. */
  hasDisplay: Boolean(process.env.DISPLAY || process.env.WAYLAND_DISPLAY),
  /** Lines that change can be drawn, if there is a terminal. */
  mayDraw: !process.env.CI && process.env.TERM !== 'dumb',
};

function colorsOf({ NO_COLOR, FORCE_COLOR }: NodeJS.ProcessEnv): boolean | null {
  if (NO_COLOR) return false;
  return FORCE_COLOR ? FORCE_COLOR !== '0' && FORCE_COLOR !== 'false' : null;
}
