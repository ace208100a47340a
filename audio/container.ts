/** Wraps an encoder's packets into a stream that players know. Each method returns the bytes that can be sent by now. */
export interface Container {
  begin: () => Buffer;
  wrap: (packet: Buffer) => Buffer;
  /** `sampleCount` is that of the sound that went into the encoder, which may be less than its packets hold. */
  end: (sampleCount: number) => Buffer;
}

export type ContainerName = 'frames' | 'adts' | 'flac' | 'ogg';

/** What an encoder says of itself once it is open; `extraData` as FFmpeg lays it out for the codec. */
export interface StreamFacts {
  extraData: Buffer;
  sampleRate: number;
  /** As many as each of its packets holds. */
  samplesPerFrame: number;
}
