import { describe, test } from '@jest/globals';

type Describe = (name: string, body: () => void) => void;

/**
 * `describe` for tests that need a part of the machine. If it is missing the tests are skipped, and their names say why: `.ci/run` lists
 * it.
 */
export const describeWhen = (isHere: unknown, needs: string): Describe =>
  isHere ? describe : (name, body) => describe.skip(`${name} (needs ${needs})`, body);

/** `test` for a test that needs a part of the machine, like `describeWhen`. */
export const testWhen = (
  isHere: unknown,
  needs: string,
): Pick<typeof test, 'each'> & ((...args: Parameters<typeof test>) => void) =>
  isHere
    ? test
    : Object.assign(
        (...[name, ...rest]: Parameters<typeof test>) => test.skip(`${String(name)} (needs ${needs})`, ...rest),
        {
          each: test.skip.each,
        },
      );
