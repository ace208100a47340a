const { relative } = require('node:path');
const { default: Sequencer } = require('@jest/test-sequencer');

// Seconds on two cores; update values that are far off. A long file that starts last keeps one worker busy while the others are idle.
const LONG = {
  'tools/sandbox/hostile.test.ts': 45,
  'clients/cli/publish.test.ts': 82,
  'flow/schedules.test.ts': 69,
  'console/signIn.test.ts': 30,
  'workflows/longRuns.test.ts': 31,
  'workflows/run.test.ts': 57,
  'clients/cli/dev.test.ts': 54,
  'workflows/compaction.test.ts': 39,
  'workflows/scripted.test.ts': 51,
  'flow/upstreamBatches.test.ts': 36,
  'clients/openaiPython.test.ts': 48,
  'tools/documents/hostileParts.test.ts': 48,
  'flow/webhookFailures.test.ts': 45,
  'clients/cli/commandLine.test.ts': 45,
  'engines/transcription/roundTrip.test.ts': 41,
  'flow/audioMoney.test.ts': 40,
  'api/processes.test.ts': 39,
  'api/singleSignOn/saml.test.ts': 25,
  'clients/sdk/pythonAgents.test.ts': 38,
  'ops/admin/rebuildRun.test.ts': 37,
  'clients/cli/listen.test.ts': 35,
  'flow/documentedAnswers.test.ts': 33,
  'worker/sweep.test.ts': 33,
  'clients/guide/typescriptSnippets.test.ts': 45,
  'providers/openai/plainStreams.test.ts': 32,
  'clients/guide/pythonSnippets.test.ts': 31,
  'engines/process.test.ts': 29,
  'flow/testClock.test.ts': 29,
  'db/archive/archivedRows.test.ts': 28,
  'db/archive/monthWork.test.ts': 28,
  'clients/sdk/runs.test.ts': 27,
  'clients/agentsOverMcp.test.ts': 27,
  'clients/openaiNodeAudio.test.ts': 26,
  'clients/cli/login.test.ts': 26,
  'base/telemetry/alertRules.test.ts': 25,
  'flow/traces.test.ts': 25,
  'api/voice/voiceFamily.test.ts': 25,
  'api/publisher/publishing.test.ts': 25,
  'tools/sandbox/programs.test.ts': 25,
  'clients/agentsOverA2a.test.ts': 25,
  'db/ledger/runHolds.test.ts': 25,
  'tools/documents/hostile.test.ts': 24,
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
