// Loads the modules of all programs, so that Node keeps their compiled code in NODE_COMPILE_CACHE. Run once, while the image is built, as the
// user and with the options of its programs: the cache is one of that user and those options.
import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const folders = 'activities,api,base,calls,db,engines,ops/admin,orders,providers,rules,tools,worker,workflows';
const LAZY = /\bimport\('([^']+)'\)/g;

// They read their settings first, and end there for want of them.
const programs = ['api/main.ts', 'worker/main.ts', 'db/migrate.ts', 'ops/admin/main.ts'];
const lazy = globSync(`{${folders}}/**/*.ts`, { cwd: root }).flatMap((file) =>
  [...readFileSync(join(root, file), 'utf8').matchAll(LAZY)].map(([, name]) => addressOf(name, file)),
);
let missing = 0;
for (const address of new Set([...programs.map((file) => addressOf(`./${file}`, '')), ...lazy])) await load(address);
process.stdout.write(`${missing} of ${lazy.length} lazy modules were not loaded\n`);
process.exit(0);

/** A package's name, or the address of a file. */
function addressOf(name, file) {
  return name.startsWith('.') ? pathToFileURL(join(root, dirname(file), name)).href : name;
}

// An image without engines lacks theirs.
async function load(address) {
  if (address.startsWith('file:') && !existsSync(fileURLToPath(address))) return;
  try {
    await import(address);
  } catch (error) {
    const isProgram = programs.some((file) => address.endsWith(file));
    if (isProgram || isWithoutFfmpeg(error)) return;
    missing += 1;
    process.stderr.write(`${address}: ${error.message}\n`);
  }
}

// An image without FFmpeg reads and writes plain sound by other modules.
function isWithoutFfmpeg({ message }) {
  return !existsSync(join(root, 'node_modules/node-av')) && message.includes("Cannot find package 'node-av'");
}
