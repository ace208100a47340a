import { describe, expect, test } from '@jest/globals';
import { listFiles, readSources, readText } from '../support/sources.ts';

const sources = readSources().filter(({ folder }) => folder === 'console');
const pages = sources.filter(({ path }) => path.startsWith('console/src/'));

describe('the pages', () => {
  test('import nothing from the rest of the repository, because they run in a browser', () => {
    const wrong = pages.flatMap(({ path, imports }) =>
      imports
        .filter(({ isOwn, target }) => isOwn && !target.startsWith('console/src/'))
        .map(({ target }) => `${path} -> ${target}`),
    );
    expect(wrong).toEqual([]);
  });

  test('import only packages of console/package.json; their build files also import its tools', () => {
    const { dependencies, devDependencies } = JSON.parse(readText('console/package.json')) as Record<
      'dependencies' | 'devDependencies',
      Record<string, string>
    >;
    const wrong = sources.flatMap(({ path, imports }) =>
      imports
        .filter(({ isOwn, target, isType }) => {
          const mayUseTools = isType || !path.startsWith('console/src/');
          return !isOwn && !(target in dependencies) && !(mayUseTools && target in devDependencies);
        })
        .map(({ target }) => `${path} -> ${target}`),
    );
    expect(wrong).toEqual([]);
  });

  test('are each loaded by a line of the registry', () => {
    const registry = readText('console/src/pages.ts');
    const unlisted = pages
      .map(({ path }) => path.slice('console/src/'.length))
      .filter((path) => path.endsWith('Page.tsx') && !registry.includes(`import('./${path}')`));
    expect(unlisted).toEqual([]);
  });

  test('style a class in one file, because all styles are loaded in the end', () => {
    const files = listFiles().filter((path) => /^console\/src\/.*\.css$/.test(path));
    const homes = new Map<string, Set<string>>();
    for (const path of files) {
      for (const [, name] of readText(path).matchAll(/^\s*\.([\w-]+)(?:,| \{)$/gm)) {
        homes.set(name!, (homes.get(name!) ?? new Set()).add(path));
      }
    }
    expect(homes.size).toBeGreaterThan(100);
    const shared = [...homes].filter(([, paths]) => paths.size > 1).map(([name, paths]) => [name, ...paths].join(' '));
    expect(shared).toEqual([]);
  });

  test('contain no raw HTML, and run no code from text', () => {
    const unsafe = /dangerouslySetInnerHTML|\.innerHTML|\beval\(|new Function\(|document\.write/;
    expect(pages.filter(({ text }) => unsafe.test(text)).map(({ path }) => path)).toEqual([]);
  });

  test('send what a form has by `Form`, which shows refusals at their fields', () => {
    // They filter or edit what is on the page; those of the playground show what failed in the conversation.
    const without =
      `operate/overview/Places parts/FilterField parts/FindById parts/SavedFilters publish/DraftTab playground/Composer
      playground/MessageView playground/SpeechTool playground/ToolResults requests/ExplainPage voice/VoiceControls`.split(
        /\s+/,
      );
    const own = pages.filter(({ text }) => text.includes('<form')).map(({ path }) => path);
    expect(own.toSorted()).toEqual(['parts/Form', ...without].map((name) => `console/src/${name}.tsx`).toSorted());
  });

  test('open panels at an edge by `Sheet`, which begins at what is to be done and gives the focus back', () => {
    const own = pages.filter(({ text }) => text.includes('<Drawer')).map(({ path }) => path);
    expect(own).toEqual(['console/src/parts/Sheet.tsx', 'console/src/shell/PhoneMenu.tsx']);
  });
});
