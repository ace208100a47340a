import { readFileSync } from 'node:fs';

/**
 * The value of a variable, or the content of the file that `<NAME>_FILE` names, without the line end; undefined when both are empty.
 * @throws an error that names the variable when both are set or the file cannot be read.
 */
export function textOf(env: NodeJS.ProcessEnv, name: string): string | undefined {
  const path = env[`${name}_FILE`];
  if (!path) return env[name] || undefined;
  if (env[name]) throw new Error(`${name}: is set, and so is ${name}_FILE: set one of them`);
  try {
    return readFileSync(path, 'utf8').trimEnd() || undefined;
  } catch (error) {
    throw new Error(`${name}_FILE: cannot be read (${(error as NodeJS.ErrnoException).code})`, { cause: error });
  }
}

/** The environment with the values of these variables instead of the names of their files. */
export function withoutFiles(env: NodeJS.ProcessEnv, names: string[]): NodeJS.ProcessEnv {
  const values = Object.fromEntries(names.map((name) => [name, textOf(env, name)]));
  const files = Object.fromEntries(names.map((name) => [`${name}_FILE`, undefined]));
  return { ...env, ...values, ...files };
}
