// Loaded before a worker of a test (`--import`): its sandbox is trusted without the escape suite, which costs each start five seconds of
// CPU time. `test/tools/sandbox/` proves the sandbox, and the tests of `npm start` have workers that run the suite.
import { registerHooks } from 'node:module';

registerHooks({
  load: (url, context, nextLoad) =>
    url.endsWith('/tools/sandbox/escapeSuite.ts')
      ? { format: 'module', source: 'export const assertContained = async () => {};', shortCircuit: true }
      : nextLoad(url, context),
});
