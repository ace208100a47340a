// Runs after each `npm install` and `npm ci`, and says so where npm's own Node is older than the packages ask for. The lock file pins the package `node`, but not the program: that package's own script fetches
// it. Plain JavaScript, run by npm's Node: it may be 20, and must not be the program in question.
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';

const folder = process.argv[2] ?? 'node_modules/node';
// As in package.json: with this version npm prints no EBADENGINE.
const [WANTED_MAJOR, WANTED_MINOR] = [22, 19];
const [major, minor] = process.versions.node.split('.').map(Number);
// Absent after `npm ci --omit=dev`: then the machine's own Node runs everything.
const isPinned = existsSync(folder);
if (isPinned) checkNode();
if (major < WANTED_MAJOR || (major === WANTED_MAJOR && minor < WANTED_MINOR)) explainOldNode();

function checkNode() {
  const { version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const sums = JSON.parse(readFileSync(join(import.meta.dirname ?? 'ops/stack', 'checksums.json'), 'utf8')).node[
    version
  ];
  if (!sums) fail(`ops/stack/checksums.json has no checksums for Node ${version}: add them there.`);
  const platform = `${process.platform}-${process.arch}`;
  const expected = sums[platform];
  if (!expected) return console.warn(`ops/stack/checksums.json has no checksum for Node ${version} on ${platform}.`);
  const found = createHash('sha256')
    .update(readFileSync(join(folder, 'bin', 'node')))
    .digest('hex');
  if (found === expected) return undefined;
  rmSync(folder, { recursive: true });
  return fail(
    `The fetched Node ${version} has the SHA-256 ${found}, not ${expected}: it was deleted. Run npm ci again.`,
  );
}

function explainOldNode() {
  const wanted = `Node ${WANTED_MAJOR}.${WANTED_MINOR} or newer`;
  console.warn(
    isPinned
      ? `npm runs on Node ${process.versions.node}. That is enough: the pinned Node in node_modules runs everything. The warnings EBADENGINE ` +
          `are about npm's own Node; with ${wanted} there are none.`
      : `Node ${process.versions.node} cannot run the service: install ${wanted}, best Node 24.`,
  );
}

function fail(message) {
  console.error(message);
  process.exit(1);
}
