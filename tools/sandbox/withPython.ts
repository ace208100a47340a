import { SandboxError, type Sandbox } from './types.ts';

/**
 * A sandbox that also runs Python, in a second sandbox. If that does not open, there is no Python, and the description says why. Rejects if
 * the first does not open.
 */
export async function withPython(javascript: Promise<Sandbox>, python: Promise<Sandbox>): Promise<Sandbox> {
  const [main, beside] = await Promise.allSettled([javascript, python]);
  if (main.status === 'rejected') {
    if (beside.status === 'fulfilled') await beside.value.close();
    throw main.reason;
  }
  if (beside.status === 'fulfilled') return joined(main.value, beside.value);
  const error: unknown = beside.reason;
  if (!(error instanceof SandboxError)) {
    await main.value.close();
    throw error;
  }
  return { ...main.value, description: `${main.value.description}; no Python: ${error.message}` };
}

const joined = (javascript: Sandbox, python: Sandbox): Sandbox => ({
  ...javascript,
  languages: [...javascript.languages, ...python.languages],
  description: `${javascript.description}; ${python.description} for Python`,
  run: (program, signal) => (program.language === 'python' ? python : javascript).run(program, signal),
  close: async () => {
    await Promise.all([javascript.close(), python.close()]);
  },
});
