const { relative } = require('node:path');
const { default: Sequencer } = require('@jest/test-sequencer');

// Seconds on two cores; update values that are far off. A long file that starts last keeps one worker busy while the others are idle.
const LONG = {
  'workflows/run.test.ts': 30,
  'flow/audioMoney.test.ts': 45,
  'clients/quickStart.test.ts': 40,
  'clients/openaiPython.test.ts': 40,
  'engines/transcription/roundTrip.test.ts': 32,
  'engines/process.test.ts': 30,
  'tools/sandbox/hostile.test.ts': 26,
  'ops/admin/rebuildRun.test.ts': 24,
  'api/text/statuses.test.ts': 24,
  'clients/eventStreams.test.ts': 24,
  'worker/sweep.test.ts': 24,
  'api/drain.test.ts': 20,
  'console/signIn.test.ts': 20,
  'providers/payments/autoTopup.test.ts': 20,
  'flow/cutSound.test.ts': 19,
  'flow/documentedAnswers.test.ts': 19,
  'flow/pluginCredential.test.ts': 17,
  'flow/lastCent.test.ts': 16,
  'calls/audio/decodeAudio.test.ts': 16,
};

/** Runs long files first, even on a machine where Jest has no measurements yet: there it uses the size of the other files. */
module.exports = class extends Sequencer {
  time(test) {
    const { config, hasteFS } = test.context;
    const name = relative(`${config.rootDir}/test`, test.path);
    // A file of 5 KB takes about five seconds.
    return super.time(test) ?? (name in LONG ? LONG[name] * 1_000 : (hasteFS.getSize(test.path) ?? 0));
  }
};
