/** Times that stay true while they are looked at: relative ones, and how long something has been going on. */
import { useEffect, useState } from 'react';
import { useWords } from '../services';

const SECOND = 1_000;

/** The time now, renewed every `periodMs`. */
export function useNow(periodMs: number): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), periodMs);
    return () => clearInterval(timer);
  }, [periodMs]);
  return now;
}

/** A relative time with the exact one on hover. `now` comes from the list, so that its rows agree. */
export function RelativeTime({ at, now }: { at: number; now: number }) {
  const words = useWords();
  return (
    <time dateTime={new Date(at).toISOString()} title={words.formats.exact(at)}>
      {words.formats.relative(at, Math.max(at, now))}
    </time>
  );
}

interface DurationProps {
  /** Milliseconds; null while it goes on. */
  ms: number | null;
  since: number;
  /** What parts it from what stands before and after it, where it is shown. */
  before?: string;
  after?: string;
}

/** How long an evaluation took, or has taken so far. */
export function Duration({ ms, since, before = '', after = '' }: DurationProps) {
  const { formats } = useWords();
  if (ms === null) return <Elapsed since={since} told={(taken) => before + formats.elapsed(taken) + after} />;
  return <span>{before + formats.duration(ms) + after}</span>;
}

/** Nothing before the first second is over; then each in its time. */
function Elapsed({ since, told }: { since: number; told: (ms: number) => string }) {
  const [seconds, setSeconds] = useState(() => secondsSince(since));
  useEffect(() => {
    const next = since + (seconds + 1) * SECOND;
    const timer = setTimeout(() => setSeconds(secondsSince(since)), next - Date.now());
    return () => clearTimeout(timer);
  }, [since, seconds]);
  return seconds > 0 && <span>{told(seconds * SECOND)}</span>;
}

function secondsSince(since: number): number {
  return Math.max(0, Math.floor((Date.now() - since) / SECOND));
}
