/** The memory of a session's image as it was of late, as a line beside its figure. */
import type { SessionId } from '../../electron/contract/model';
import { useLive } from '../services';
import styles from './memory-line.module.css';
import { pointsOf } from './memory-points';

const WIDTH = 36;
const HEIGHT = 12;
const NONE: readonly number[] = [];

export function MemoryLine({ session }: { session: SessionId }) {
  const readings = useLive(({ memories }) => memories.get(session)) ?? NONE;
  if (readings.length < 2) return null;
  return (
    <svg className={styles.line} width={WIDTH} height={HEIGHT} aria-hidden="true">
      <polyline points={pointsOf(readings, WIDTH, HEIGHT)} />
    </svg>
  );
}
