import { useEffect, useRef, useState } from 'react';

/** Records from the microphone into a file while the component is mounted. */
export function useRecorder(onFile: (file: File) => void) {
  const recorder = useRef<MediaRecorder | null>(null);
  const [isRecording, setRecording] = useState(false);
  const [seconds, setSeconds] = useState(0);
  const [error, setError] = useState<string | null>(null);

  useEffect(() => {
    if (!isRecording) return undefined;
    const begunMs = Date.now();
    const timer = setInterval(() => setSeconds(Math.floor((Date.now() - begunMs) / 1000)), 250);
    return () => clearInterval(timer);
  }, [isRecording]);
  useEffect(() => () => release(recorder.current), []);

  async function start() {
    setError(null);
    setSeconds(0);
    try {
      const stream = await navigator.mediaDevices.getUserMedia({ audio: true });
      const made = new MediaRecorder(stream);
      const parts: Blob[] = [];
      made.addEventListener('dataavailable', ({ data }) => parts.push(data));
      // Also when its microphone is gone: what was heard until then is kept.
      made.addEventListener('stop', () => {
        setRecording(false);
        const type = made.mimeType.split(';')[0]!;
        onFile(new File(parts, `recording.${type.split('/')[1]}`, { type }));
        release(made);
      });
      made.start();
      recorder.current = made;
      setRecording(true);
    } catch {
      setError('The microphone could not be used. Allow it for this page, or choose a file.');
    }
  }

  function stop() {
    if (recorder.current?.state === 'recording') recorder.current.stop();
  }
  return { isRecording, seconds, error, start, stop };
}

/** Switches the microphone off. */
function release(recorder: MediaRecorder | null): void {
  for (const track of recorder?.stream.getTracks() ?? []) track.stop();
}
