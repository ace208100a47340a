import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';

/** `npm run types` for the package of TypeScript. Where its own packages are not installed, it says so and checks nothing. */
const folder = join(import.meta.dirname, 'typescript');

if (existsSync(join(folder, 'node_modules'))) {
  const compiler = join(folder, 'node_modules/.bin/tsc');
  const failed = [folder, join(folder, 'cli')].filter(
    (project) => spawnSync(compiler, ['-p', project, '--noEmit'], { stdio: 'inherit' }).status !== 0,
  );
  process.exitCode = failed.length > 0 ? 1 : 0;
} else {
  process.stdout.write(
    'clients: the packages of clients/typescript are not installed, its types were not checked (npm ci --prefix clients/typescript)\n',
  );
}
