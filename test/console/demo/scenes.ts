import type { Script } from '../../../rules/scripted/script.ts';

interface Scene {
  /** Matches the agent's instructions or the question. */
  when: RegExp;
  script: Script;
}

const tool = (name: string, input: object) => ({ name, arguments: JSON.stringify(input) });

const MEASURE = `const rows = readFile('measurements.csv').trim().split('\\n').slice(1).map((line) => line.split(','));
const out = rows.filter(([, , nominal, tolerance, value]) => Math.abs(value - nominal) > Number(tolerance));
print(rows.length + ' values, ' + out.length + ' out of tolerance');
for (const [part, feature, nominal, , value] of out) print(part, feature, (value - nominal).toFixed(3));`;

const PLATE = {
  type: 'object',
  properties: {
    serial: { type: 'string', title: 'Serial number', description: 'Eight digits after NR-' },
    built: { type: 'string', format: 'date', title: 'Built on' },
    severity: { type: 'string', title: 'Severity', enum: ['low', 'high'], enumNames: ['Low', 'High'], default: 'high' },
    stopped: { type: 'boolean', title: 'The line stands still', default: true },
  },
  required: ['serial'],
};

const REPLY = `Dear Ms Aalto,

E-417 on axis 3 usually means that the cable carrier drags. Spare part 118-204 is reserved.`;

const INSPECTION = `Batch 2231 against **NR-118 rev C**: 46 of 48 values are within tolerance.

| Part | Feature | Deviation |
| --- | --- | ---: |
| 17 | Bore Ø12 H7 | +0.021 mm |
| 31 | Flatness A | +0.014 mm |

Both parts are set aside. The report is in \`report.md\`, the chart in \`deviation.png\`.`;

const MINUTES = `## Decisions
- The gripper ships with firmware 4.2.1 (Dana).
- The price stays until March.

## Open points
- Torque curves of station 7: Jonas, 4 December.
- Contract with the galvaniser: Felix, 11 December.`;

const PROTOCOLS = `| | TCP | UDP |
| --- | --- | --- |
| Connection | Handshake first | None |
| Delivery | In order, retransmitted | Best effort |
| Header | 20 bytes | 8 bytes |
| Used by | HTTP, SSH, mail | DNS, video, games |

**In short:** TCP where every byte counts, UDP where the next packet matters more than the last one.`;

const score = (value: number, reason: string): Script => ({ text: JSON.stringify({ reason, score: value }) });

/** The cases of an evaluation set: the public version, then a draft that answers in one sentence; and who judges them. */
const EVALUATED: Scene[] = [
  { when: /You judge .*17 is fine/s, script: score(0.1, 'It guesses: no drawing was named, and it asks for none.') },
  {
    when: /You judge .*Is part 17 fine/s,
    script: score(0.95, 'It asks for the drawing and its revision before it decides.'),
  },
  { when: /You judge /, script: score(0.9, 'It states both limits, and the measured value lies between them.') },
  { when: /joint 2 at 7.1 Nm/, script: { text: 'Joint 2, 0.9 Nm below the window. Then joint 4, 0.8 Nm above it.' } },
  { when: /one short sentence.*Is part 17 fine/s, script: { text: 'Yes, part 17 is fine.' } },
  { when: /Is part 17 fine/, script: { text: 'Which drawing, and which revision? Without it I cannot say.' } },
  {
    when: /one short sentence.*Flatness A/s,
    script: { text: 'Flatness A of part 31 is 0.014 mm above the limit of NR-118 rev C.' },
  },
  {
    when: /Flatness A of part 31 is/,
    script: { text: 'Part 31, **NR-118 rev C**: flatness A is 0.064 mm, 0.014 mm out of tolerance.' },
  },
  {
    when: /Bore Ø12 H7 of part 18/,
    script: { text: 'Part 18 is within H7: 12.004 mm lies between 12.000 and 12.018 mm.' },
  },
  { when: /one short sentence.*which are set aside/s, script: { text: 'Two parts are set aside.' } },
  { when: /which are set aside/, script: { text: 'Parts 17 and 31 are set aside; part 18 is within its limits.' } },
];

/** What models say where it should be a certain thing. The first that matches counts. */
export const SCENES: Scene[] = [
  ...EVALUATED,
  { when: /TCP and UDP/, script: { text: PROTOCOLS, delayMs: 4 } },
  {
    when: /corrupted/,
    script: { status: 400, error: { message: 'The file cannot be decoded.', code: 'invalid_file' } },
  },
  {
    when: /every station of the plant/,
    script: {
      text: 'Station 1 ran without a stop; the torque of all joints stayed within its window. '.repeat(400),
      chunks: 400,
    },
  },
  { when: /slow log/, script: { headDelayMs: 3_600_000 } },
  {
    when: /whole archive/,
    script: { text: 'Reading the archive, page by page. '.repeat(900), chunks: 900, delayMs: 9_000 },
  },
  {
    when: /You inspect measurements/,
    script: {
      turns: [
        { reasoning: 'First see which files the session has.', toolCalls: [tool('list_files', {})] },
        {
          reasoning: 'The values are in measurements.csv. I compute the deviations.',
          toolCalls: [tool('run_code', { language: 'javascript', code: MEASURE })],
        },
        {
          toolCalls: [
            tool('draw_chart', {
              path: 'deviation.png',
              kind: 'bar',
              title: 'Deviation by feature, µm',
              labels: ['Bore Ø12', 'Bore Ø8', 'Flatness A', 'Parallelism B', 'Length 84'],
              series: [{ name: 'largest', values: [21, 6, 14, 5, 8] }],
            }),
            tool('write_table', {
              path: 'deviations.csv',
              sheets: [
                {
                  columns: [{ name: 'part' }, { name: 'deviation_mm' }],
                  rows: [
                    [17, 0.021],
                    [31, 0.014],
                  ],
                },
              ],
            }),
          ],
        },
        { text: INSPECTION },
      ],
    },
  },
  {
    when: /You code open answers/,
    script: {
      turns: [
        { toolCalls: [tool('run_code', { language: 'javascript', code: "print('312 answers, 9 themes')" })] },
        {
          text: '312 answers in nine themes. The three largest: **setup takes too long** (74), **noise** (51), **missing spare parts** (43).',
        },
      ],
    },
  },
  {
    when: /You extract the fields/,
    script: {
      text: '| Supplier | Number | Net | Total |\n| --- | --- | ---: | ---: |\n| Hallmark Castings | 2026-1184 | 4,120.00 | 5,150.00 |\n| Galva AB | 88117 | 960.00 | 1,200.00 |',
    },
  },
  {
    when: /You triage support mails/,
    script: {
      turns: [
        {
          toolCalls: [
            tool('ask_user', { question: 'What is on the plate below axis 1?', schema: PLATE }),
            tool('write_file', { path: 'reply.md', content: REPLY }),
          ],
        },
        {
          text: 'Arm **NR-6**, severity *high*. E-417 on axis 3 usually means that the cable carrier drags. Asked for the trace file; spare part 118-204 is reserved.',
        },
      ],
    },
  },
  {
    when: /You write minutes/,
    script: {
      turns: [{ toolCalls: [tool('write_file', { path: 'minutes.md', content: MINUTES })] }, { text: MINUTES }],
    },
  },
  {
    when: /You read contracts/,
    script: {
      turns: [
        { toolCalls: [tool('search_files', { query: 'notice' })] },
        {
          text: 'Two notice periods are regulated:\n\n- **Ordinary termination:** six months to the end of a calendar year (§ 14.2, page 9).\n- **Price changes:** three months (§ 6.4, page 4).\n\nNotice for a change of control is not regulated.',
        },
      ],
    },
  },
  {
    when: /You forecast from past figures/,
    script: {
      turns: [
        { reasoning: 'A seasonal mean with a trend is enough for 12 weeks.', toolCalls: [tool('list_files', {})] },
        {
          toolCalls: [
            tool('draw_chart', {
              path: 'forecast.png',
              kind: 'line',
              title: 'Orders per week',
              labels: ['W48', 'W49', 'W50', 'W51', 'W52', 'W1', 'W2', 'W3', 'W4', 'W5', 'W6', 'W7'],
              series: [{ name: 'forecast', values: [41, 44, 46, 39, 22, 25, 38, 43, 45, 47, 49, 50] }],
            }),
          ],
        },
        {
          text: 'Expect **489 orders** in the next twelve weeks (80 % range: 430 to 545). The dip in W52 and W1 is the plant holiday.',
        },
      ],
    },
  },
  {
    when: /You write release notes/,
    script: {
      text: '**4.2.1** Faster homing of axis 3, fewer false E-417 faults, and a quick calibration of the camera that takes two minutes.',
    },
  },
];
