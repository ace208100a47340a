/** How a voice speaks when nobody has said how, in the vendor's words. */
export const DEFAULT_SETTINGS = { stability: 0.5, similarity_boost: 0.75, style: 0, use_speaker_boost: true, speed: 1 };
