import { useEffect, useRef } from 'react';

// The level of loud speech; a linear scale would leave most of the meter empty.
const LOUD = 0.25;

/** The current loudness, redrawn with each frame without redrawing the page. */
export function LevelMeter({ label, level }: { label: string; level: () => number }) {
  const meter = useRef<HTMLMeterElement>(null);
  const read = useRef(level);
  read.current = level;
  useEffect(() => {
    let frame = 0;
    const draw = () => {
      if (meter.current) meter.current.value = Math.min(1, Math.sqrt(read.current() / LOUD));
      frame = requestAnimationFrame(draw);
    };
    draw();
    return () => cancelAnimationFrame(frame);
  }, []);
  return (
    <label className="level">
      {label}
      <meter ref={meter} min={0} max={1} aria-label={label} />
    </label>
  );
}
