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

/** How long an evaluation took, or has taken so far while `ms` is null. */
export function Duration({ ms, since }: { ms: number | null; since: number }) {
  const words = useWords();
  return ms === null ? <Elapsed since={since} /> : <span>{words.formats.duration(ms)}</span>;
}

/** Nothing before the first second is over; then each in its time. */
function Elapsed({ since }: { since: number }) {
  const words = useWords();
  const [seconds, setSeconds] = useState(() => secondsSince(since));
  useEffect(() => {
    const timer = setTimeout(
      () => setSeconds(secondsSince(since)),
      since + (seconds + 1) * SECOND - Date.now(),
    );
    return () => clearTimeout(timer);
  }, [since, seconds]);
  return seconds > 0 && <span>{words.formats.elapsed(seconds * SECOND)}</span>;
}

function secondsSince(since: number): number {
  return Math.max(0, Math.floor((Date.now() - since) / SECOND));
}
