import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { Session, type Runtime } from 'node:inspector';
import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import { textFor } from '../files.ts';

const CODE_FD = 3;
const RESULT_FD = 4;
const TO_JSON = `function () {
  const plain = (key, value) => (typeof value === 'bigint' ? String(value) : value);
  try {
    return JSON.stringify(this, plain);
  } catch {
    return JSON.stringify(Object.prototype.toString.call(this));
  }
}`;

// Starts a JavaScript program in a jail, with the globals of QuickJS programs and all of Node's. Node's REPL evaluation runs it, because
// only that supports both top-level `await` and the value of the last expression.
Object.assign(globalThis, {
  require: createRequire(`${process.cwd()}/program.js`),
  readFile: (path: string) => textFor(readFileSync(path)),
  readFileBytes: (path: string) => Uint8Array.from(readFileSync(path)),
  writeFile: (path: string, content: string | Uint8Array) => {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, content);
  },
  listFiles: () => listFiles('').toSorted(),
});

// Otherwise a program that prints in a loop would buffer everything in memory, since its event loop never runs.
for (const stream of [process.stdout, process.stderr]) {
  (stream as unknown as { _handle?: { setBlocking(isBlocking: boolean): void } })._handle?.setBlocking(true);
}

let isSettled = false;
const session = new Session();
session.connect();
process.on('exit', (code) => {
  if (isSettled || code !== 0) return;
  process.stderr.write('The program waits for a promise that never settles.\n');
  process.exitCode = 1;
});
const EXPRESSION = `${readFileSync(CODE_FD, 'utf8')}\n//# sourceURL=program.js`;
session.post(
  'Runtime.evaluate',
  { expression: EXPRESSION, replMode: true, awaitPromise: true } as object,
  (error, evaluated) => {
    isSettled = true;
    if (error) throw error;
    const { result, exceptionDetails } = evaluated as Runtime.EvaluateReturnType;
    if (exceptionDetails) fail(exceptionDetails);
    else giveResult(result);
  },
);

function listFiles(folder: string): string[] {
  return readdirSync(folder || '.', { withFileTypes: true }).flatMap((entry) =>
    entry.isDirectory() ? listFiles(`${folder}${entry.name}/`) : [`${folder}${entry.name}`],
  );
}

function fail({ exception, text }: Runtime.ExceptionDetails): void {
  const description = exception?.description ?? `${text} ${JSON.stringify(exception?.value)}`;
  const own = description.split('\n').filter((line) => !/^\s+at .*(node:|file:\/\/)/.test(line));
  process.stderr.write(`${own.join('\n')}\n`);
  process.exitCode = 1;
}

function giveResult({ type, objectId, value, unserializableValue }: Runtime.RemoteObject): void {
  if (type === 'undefined' || type === 'function') return;
  if (!objectId) return writeFileSync(RESULT_FD, JSON.stringify(value ?? unserializableValue ?? null));
  session.post(
    'Runtime.callFunctionOn',
    { objectId, functionDeclaration: TO_JSON, returnByValue: true },
    (_, called?: Runtime.CallFunctionOnReturnType) => writeFileSync(RESULT_FD, String(called?.result.value ?? 'null')),
  );
}
