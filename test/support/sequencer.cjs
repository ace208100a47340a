const { relative } = require('node:path');
const { default: Sequencer } = require('@jest/test-sequencer');

// Seconds on two cores; update values that are far off. A long file that starts last keeps one worker busy while the others are idle.
const LONG = {
  'tools/sandbox/hostile.drill.test.ts': 45,
  'clients/cli/publish.drill.test.ts': 82,
  'flow/runs/schedules.drill.test.ts': 69,
  'console/signIn.drill.test.ts': 30,
  'workflows/longRuns.drill.test.ts': 31,
  'workflows/run.drill.test.ts': 57,
  'clients/cli/dev.drill.test.ts': 54,
  'workflows/compaction.drill.test.ts': 39,
  'workflows/scripted.drill.test.ts': 51,
  'flow/batches/upstreamBatches.drill.test.ts': 36,
  'clients/openaiPython.drill.test.ts': 48,
  'tools/documents/hostileParts.drill.test.ts': 48,
  'flow/runs/webhookFailures.drill.test.ts': 45,
  'clients/cli/commandLine.drill.test.ts': 45,
  'engines/transcription/roundTrip.test.ts': 41,
  'flow/money/audioMoney.drill.test.ts': 40,
  'api/processes.drill.test.ts': 39,
  'api/singleSignOn/saml.test.ts': 25,
  'clients/sdk/pythonAgents.drill.test.ts': 38,
  'ops/admin/rotateKeys.drill.test.ts': 30,
  'clients/cli/listen.drill.test.ts': 35,
  'flow/answers/documentedAnswers.drill.test.ts': 33,
  'worker/sweep.drill.test.ts': 33,
  'clients/guide/typescriptSnippets.drill.test.ts': 45,
  'providers/openai/plainStreams.test.ts': 32,
  'clients/guide/pythonSnippets.drill.test.ts': 31,
  'engines/process.drill.test.ts': 29,
  'flow/testMode/testClock.drill.test.ts': 29,
  'db/archive/archivedRows.drill.test.ts': 28,
  'db/archive/monthWork.drill.test.ts': 28,
  'clients/sdk/runs.drill.test.ts': 27,
  'clients/agentsOverMcp.drill.test.ts': 27,
  'clients/openaiNodeAudio.test.ts': 26,
  'clients/cli/login.drill.test.ts': 26,
  'base/telemetry/alertRules.drill.test.ts': 25,
  'flow/answers/traces.drill.test.ts': 25,
  'api/voice/voiceFamily.test.ts': 25,
  'api/publisher/publishing.test.ts': 25,
  'tools/sandbox/programs.test.ts': 25,
  'clients/agentsOverA2a.drill.test.ts': 25,
  'db/ledger/runHolds.test.ts': 25,
  'tools/documents/hostile.drill.test.ts': 24,
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
