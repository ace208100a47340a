import { expect, test } from '@jest/globals';
import { functionsOf, importsOf, type Import } from './sources.ts';

test('imports are found in every form', () => {
  const text = [
    `import a from './a.ts';`,
    `import type { B } from '../b/b.ts';`,
    `import {\n  c,\n  type D,\n} from '@scope/pkg/deep';`,
    `export * from './e.ts';`,
    `import './f.ts';`,
    `const g = await import('g/inner');`,
    `// import h from './h.ts';`,
    `import { i } from 'node:fs';`,
  ].join('\n');
  const told = ({ target, isType, isLate }: Import) => `${isType ? 'type ' : ''}${isLate ? 'late ' : ''}${target}`;
  expect(importsOf('x/y.ts', text).map(told)).toEqual([
    'x/a.ts',
    'type b/b.ts',
    '@scope/pkg',
    'x/e.ts',
    'x/f.ts',
    'late g',
  ]);
});

test('functions are measured without those inside them', () => {
  const text = `function outer(): void {\n  one();\n  const inner = (a: number) => {\n    return a;\n  };\n}\n`;
  expect(functionsOf(text)).toEqual([
    { name: 'outer', ownLines: 3 },
    { name: 'inner', ownLines: 3 },
  ]);
});

test('functions are measured whole when their parameters take several lines', () => {
  const text = `function outer({\n  one,\n}: {\n  one: number;\n}) {\n  two(one);\n}\n`;
  expect(functionsOf(text)).toEqual([{ name: 'outer', ownLines: 7 }]);
});
