import { describe, expect, test } from '@jest/globals';
import { chartSvg, pngOf } from '../../../tools/documents/chart/chart.ts';
import { CHART_KINDS, type Chart } from '../../../tools/documents/chart/chartForm.ts';
import { scaleOf } from '../../../tools/documents/chart/scale.ts';

const { signal } = new AbortController();
const chart: Chart = {
  kind: 'bar',
  labels: ['North', 'South'],
  series: [
    { name: '2025', values: [10, -5] },
    { name: '2026', values: [20, null] },
  ],
  width: 960,
  height: 540,
};
const countOf = (svg: string, pattern: RegExp) => [...svg.matchAll(pattern)].length;

describe('a chart', () => {
  test('has a bar for each value, as long as its value', () => {
    const bars = [
      ...chartSvg(chart).matchAll(/<rect x="[\d.]+" y="[\d.]+" width="[\d.]+" height="([\d.]+)" fill="#(\w+)"\/>/g),
    ];
    const lengths = bars.map(([, height]) => Number(height));
    expect([lengths.length, lengths[0]! / lengths[2]!, lengths[1]! / lengths[0]!]).toEqual([
      4,
      expect.closeTo(2, 1),
      expect.closeTo(2, 1),
    ]);
    expect(new Set(bars.map(([, , fill]) => fill)).size).toBe(2);
  });

  test('breaks a line at a gap', () => {
    const series = [{ name: '', values: [1, 2, null, 4, 5] }];
    const svg = chartSvg({ ...chart, kind: 'line', labels: ['a', 'b', 'c', 'd', 'e'], series });
    expect([countOf(svg, /<path/g), countOf(svg, /<circle/g)]).toEqual([2, 4]);
  });

  test('stacks areas upon each other', () => {
    const svg = chartSvg({
      ...chart,
      kind: 'area',
      isStacked: true,
      series: [
        { name: 'a', values: [1, 1] },
        { name: 'b', values: [8, 8] },
      ],
    });
    expect(svg).toContain('>10<');
  });

  test('of a pie has slices for values above zero, with their shares', () => {
    const svg = chartSvg({
      ...chart,
      kind: 'pie',
      labels: ['a', 'b', 'c'],
      series: [{ name: '', values: [3, 1, -1] }],
    });
    expect([countOf(svg, /<path/g), svg.includes('>75 %<'), svg.includes('>25 %<')]).toEqual([2, true, true]);
  });

  test.each(CHART_KINDS)('of the kind %s holds no markup of its texts', (kind) => {
    const evil = `"><script>alert(1)</script>&\u0000`;
    const labels = kind === 'scatter' ? [1, 2] : [evil, evil];
    const svg = chartSvg({
      ...chart,
      kind,
      title: evil,
      xTitle: evil,
      yTitle: evil,
      labels,
      series: [{ name: evil, values: [1, 2] }],
    });
    expect(svg).not.toMatch(/<script|&(?!amp;|lt;|gt;|quot;)/);
    expect(svg).not.toContain('\u0000');
  });

  test.each([
    ['no span', [5, 5]],
    ['zeros', [0, 0]],
    ['only gaps', [null, null]],
    ['the largest numbers', [1e300, -1e300]],
    ['the smallest numbers', [1e-300, 2e-300]],
  ])('of %s is drawn', (_what, values) => {
    for (const kind of CHART_KINDS)
      expect(chartSvg({ ...chart, kind, labels: [1, 2], series: [{ name: 'x', values }] })).not.toMatch(/NaN|Infinity/);
  });

  test('becomes a PNG of twice its size, with its texts', async () => {
    const [plain, titled] = await Promise.all([
      pngOf(chartSvg(chart), signal),
      pngOf(chartSvg({ ...chart, title: 'Sales by region' }), signal),
    ]);
    expect(plain.subarray(1, 4).toString()).toBe('PNG');
    expect([plain.readUInt32BE(16), plain.readUInt32BE(20)]).toEqual([1920, 1080]);
    expect(titled.length).toBeGreaterThan(plain.length + 500);
  });
});

test.each([
  [
    [0, 97],
    [0, 20, 40, 60, 80, 100],
  ],
  [
    [-3, 4],
    [-4, -2, 0, 2, 4],
  ],
  [
    [0.001, 0.004],
    [0.001, 0.002, 0.003, 0.004],
  ],
])('the axis of %j has the ticks %j', (values, ticks) => {
  expect(scaleOf(values, { from: 0, to: 1 }, false).ticks).toEqual(ticks);
});
