const { ModernFakeTimers } = require('@jest/fake-timers');
const { TestEnvironment } = require('jest-environment-node');
const { configureGlobal } = require('fast-check');
const { waitPastMidnight } = require('./midnight.ts');

// The same values in each run, as in random.ts; fast-check shares its setting across realms.
configureGlobal({ seed: Number(process.env.FLOW_SEED ?? 1) });

// In tests these names mean the product's objects, which are loaded outside of the tests' realm (transform.cjs).
const SHARED = ['Error', 'RangeError', 'TypeError', 'SyntaxError', 'AggregateError', 'Date'];

/** Jest's environment for Node, with the environment variables, timers, dates and errors of the product's realm. */
module.exports = class extends TestEnvironment {
  constructor(config, context) {
    super(config, context);
    for (const name of SHARED) Object.defineProperty(this.global, name, { get: () => globalThis[name] });
    this.variables = { ...process.env };
    this.global.process.env = process.env;
    this.fakeTimersModern.dispose();
    this.fakeTimersModern = new ModernFakeTimers({ config: config.projectConfig, global: globalThis });
  }

  async setup() {
    await super.setup();
    await waitPastMidnight();
  }

  /** The next test file of this worker has its own variables. */
  async teardown() {
    for (const name of Object.keys(process.env)) if (!(name in this.variables)) delete process.env[name];
    Object.assign(process.env, this.variables);
    await super.teardown();
  }
};
