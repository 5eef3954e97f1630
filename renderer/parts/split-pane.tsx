/** A list with its detail beside it, or below it where there is no room; the line between them can be moved. */
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
  /** The name under which the size is remembered. */
  name: string;
  /** The width of the whole in pixels from which the detail is beside the list; null for always below. */
  besideFrom: number | null;
  /** Where the detail is not beside the list: whether it takes its place instead of standing below. */
  replaces?: boolean;
  /** Share of the list until a person moves the line. */
  initial: number;
  /** The width in pixels that the list keeps where the detail is beside it. */
  least?: number;
  /** What the line between them is called. */
  line?: string;
  list: ReactNode;
  /** Absent while nothing is selected; the list then has all the room. */
  detail: ReactNode | null;
}

const LEAST = 0.2;
const MOST = 0.8;
const STEP = 0.04;

export function SplitPane(props: SplitPaneProps) {
  const words = useWords();
  const {
    name,
    besideFrom,
    replaces = false,
    initial,
    least = 0,
    line = words.parts.resizeDetail,
    list,
    detail,
  } = props;
  const { viewState } = useServices();
  const share = useViewState(({ splits }) => splits[name]) ?? initial;
  const whole = useRef<HTMLDivElement>(null);
  const beside = useWiderThan(whole, besideFrom);
  const alone = replaces && !beside && detail !== null;
  const move = (to: number) => {
    const bounded = Math.min(MOST, Math.max(LEAST, to));
    viewState.setState(({ splits }) => ({ splits: { ...splits, [name]: bounded } }));
  };
  return (
    <div
      ref={whole}
      className={styles.split}
      data-beside={beside || undefined}
      data-alone={alone || undefined}
    >
      <div
        className={styles.pane}
        style={detail === null ? { flexGrow: 1 } : { flexGrow: share, minWidth: beside ? least : 0 }}
      >
        {list}
      </div>
      {detail !== null && (
        <>
          <Divider label={line} beside={beside} share={share} whole={whole} onMove={move} />
          <div className={styles.pane} style={{ flexGrow: alone ? 1 : 1 - share }}>
            {detail}
          </div>
        </>
      )}
    </div>
  );
}

interface DividerProps {
  label: string;
  beside: boolean;
  share: number;
  whole: RefObject<HTMLDivElement | null>;
  onMove: (share: number) => void;
}

function Divider({ label, beside, share, whole, onMove }: DividerProps) {
  const follow = (event: PointerEvent) => {
    const bounds = whole.current?.getBoundingClientRect();
    if (!bounds || !event.currentTarget.hasPointerCapture(event.pointerId)) return;
    onMove(
      beside ? (event.clientX - bounds.left) / bounds.width : (event.clientY - bounds.top) / bounds.height,
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
      aria-orientation={beside ? 'vertical' : 'horizontal'}
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

function useWiderThan(element: RefObject<HTMLElement | null>, limit: number | null): boolean {
  const [wider, setWider] = useState(false);
  useEffect(() => {
    if (!element.current || limit === null) return;
    const observer = new ResizeObserver(([entry]) => setWider((entry?.contentRect.width ?? 0) >= limit));
    observer.observe(element.current);
    return () => observer.disconnect();
  }, [element, limit]);
  return wider;
}
