import { describe, test } from '@jest/globals';
import { hasPython } from './pythonVenv.ts';

/** Tests that need a Python with its tools for environments: skipped without one. */
export const describeWithPython = hasPython ? describe : describe.skip;
export const testWithPython = hasPython ? test : test.skip;
