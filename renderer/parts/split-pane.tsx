/** A list with details next to it, or below it if space is short. The divider can be moved. */
import {
  type KeyboardEvent,
  type PointerEvent,
  type ReactNode,
  type RefObject,
  useEffect,
  useRef,
  useState,
} from 'react';
import { useServices, useViewState, useWords } from '../services';
import styles from './split-pane.module.css';

interface SplitPaneProps {
  /** Key of the remembered size. */
  name: string;
  /** Minimum width in pixels for a side-by-side layout; null for always below. */
  columnsFrom: number | null;
  /** Whether the details replace the list if they are not side by side. */
  replaces?: boolean;
  /** Initial share of the list. */
  initial: number;
  /** Minimum width in pixels of the list in the side-by-side layout. */
  least?: number;
  /** Whether the list is a rail, whose width cannot be changed. */
  rail?: boolean;
  /** Accessible name of the divider. */
  line?: string;
  list: ReactNode;
  /** Null if nothing is selected; the list then fills the pane. */
  detail: ReactNode | null;
}

const LEAST = 0.2;
const MOST = 0.8;
const STEP = 0.04;

export function SplitPane(props: SplitPaneProps) {
  const words = useWords();
  const {
    name,
    columnsFrom,
    replaces = false,
    initial,
    least = 0,
    rail = false,
    line = words.parts.resizeDetail,
    list,
    detail,
  } = props;
  const { viewState } = useServices();
  const share = useViewState(({ splits }) => splits[name]) ?? initial;
  const whole = useRef<HTMLDivElement>(null);
  const sideBySide = useWiderThan(whole, columnsFrom);
  const alone = replaces && !sideBySide && detail !== null;
  const isRail = rail && sideBySide && detail !== null;
  const move = (to: number) => {
    const bounded = Math.min(MOST, Math.max(LEAST, to));
    viewState.setState(({ splits }) => ({ splits: { ...splits, [name]: bounded } }));
  };
  return (
    <div
      ref={whole}
      className={styles.split}
      data-columns={sideBySide || undefined}
      data-alone={alone || undefined}
      data-rail={isRail || undefined}
    >
      <div
        className={styles.pane}
        style={
          isRail
            ? undefined
            : { flexGrow: detail === null ? 1 : share, minWidth: detail !== null && sideBySide ? least : 0 }
        }
      >
        {list}
      </div>
      {detail !== null && (
        <>
          {!isRail && (
            <Divider label={line} sideBySide={sideBySide} share={share} whole={whole} onMove={move} />
          )}
          <div className={styles.pane} style={{ flexGrow: alone || isRail ? 1 : 1 - share }}>
            {detail}
          </div>
        </>
      )}
    </div>
  );
}

interface DividerProps {
  label: string;
  sideBySide: boolean;
  share: number;
  whole: RefObject<HTMLDivElement | null>;
  onMove: (share: number) => void;
}

function Divider({ label, sideBySide, share, whole, onMove }: DividerProps) {
  const follow = (event: PointerEvent) => {
    const bounds = whole.current?.getBoundingClientRect();
    if (!bounds || !event.currentTarget.hasPointerCapture(event.pointerId)) return;
    onMove(
      sideBySide
        ? (event.clientX - bounds.left) / bounds.width
        : (event.clientY - bounds.top) / bounds.height,
    );
  };
  const press = (event: KeyboardEvent) => {
    const step = { ArrowUp: -STEP, ArrowLeft: -STEP, ArrowDown: STEP, ArrowRight: STEP }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    onMove(share + step);
  };
  return (
    <hr
      tabIndex={0}
      aria-label={label}
      aria-orientation={sideBySide ? 'vertical' : 'horizontal'}
      aria-valuenow={Math.round(share * 100)}
      aria-valuemin={LEAST * 100}
      aria-valuemax={MOST * 100}
      className={styles.divider}
      onPointerDown={(event) => event.currentTarget.setPointerCapture(event.pointerId)}
      onPointerMove={follow}
      onKeyDown={press}
    />
  );
}

/** Reports whether an element is at least `limit` pixels wide. */
export function useWiderThan(element: RefObject<HTMLElement | null>, limit: number | null): boolean {
  const [wider, setWider] = useState(false);
  useEffect(() => {
    if (!element.current || limit === null) return;
    const observer = new ResizeObserver(([entry]) => setWider((entry?.contentRect.width ?? 0) >= limit));
    observer.observe(element.current);
    return () => observer.disconnect();
  }, [element, limit]);
  return wider;
}
