import { useEffect, useRef, useState } from 'react';

/** Records from the microphone into a file while the component is mounted. */
export function useRecorder(onFile: (file: File) => void) {
  const recorder = useRef<MediaRecorder | null>(null);
  const [isRecording, setRecording] = useState(false);
  const [seconds, setSeconds] = useState(0);
  const [error, setError] = useState<Error | null>(null);

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
      made.addEventListener('stop', () => {
        const type = made.mimeType.split(';')[0]!;
        onFile(new File(parts, `recording.${type.split('/')[1]}`, { type }));
        release(made);
      });
      made.start();
      recorder.current = made;
      setRecording(true);
    } catch {
      setError(new Error('The microphone could not be used. Allow it for this page, or choose a file.'));
    }
  }

  function stop() {
    recorder.current?.stop();
    setRecording(false);
  }
  return { isRecording, seconds, error, start, stop };
}

/** Switches the microphone off. */
function release(recorder: MediaRecorder | null): void {
  for (const track of recorder?.stream.getTracks() ?? []) track.stop();
}
