import { hasPython } from './pythonVenv.ts';
import { describeWhen, testWhen } from '../support/needs.ts';

/** Tests that need a Python with its tools for environments: skipped without one. */
export const describeWithPython = describeWhen(hasPython, 'Python with venv');
export const testWithPython = testWhen(hasPython, 'Python with venv');
