import { hasPython } from './pythonVenv.ts';
import { describeWhen, testWhen } from '../support/needs.ts';

/** Tests that require a Python with its tools for environments: skipped without it. */
export const describeWithPython = describeWhen(hasPython, 'Python with venv');
export const testWithPython = testWhen(hasPython, 'Python with venv');
