// A reporter of Jest that appends a line for each file that starts or ends, for the reader of a run that was killed: Jest writes its own
// report only at the end.
const { appendFileSync } = require('node:fs');

module.exports = class {
  onRunStart({ numTotalTestSuites }) {
    this.append({ files: numTotalTestSuites });
  }

  onTestFileStart({ path }) {
    this.append({ started: path });
  }

  onTestFileResult({ path }, { testResults, testExecError, failureMessage }) {
    const status = testExecError || failureMessage ? 'failed' : 'passed';
    const assertionResults = testResults.map(({ fullName, status: ended }) => ({ fullName, status: ended }));
    this.append({ name: path, status, assertionResults });
  }

  append(line) {
    appendFileSync(process.env.TEST_PROGRESS_FILE, `${JSON.stringify(line)}\n`);
  }
};
