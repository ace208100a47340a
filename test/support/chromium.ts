import { findProgram } from '../../ops/stack/findProgram.ts';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome'];

/** The system's Chromium on the PATH. */
export const findChromium = (): string | undefined => findProgram(NAMES, process.env.PATH ?? '');
