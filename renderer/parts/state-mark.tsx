/** States of sessions, evaluations and other programs: each a shape and a word, never colour alone. */
import {
  Ban,
  Check,
  Circle,
  CircleDashed,
  CircleSlash,
  CircleX,
  ClipboardPaste,
  Globe,
  Hand,
  Link2,
  type LucideProps,
  Moon,
  OctagonX,
  Triangle,
  TriangleAlert,
  X,
} from 'lucide-react';
import type { ComponentType } from 'react';
import type { ConnectState } from '../../electron/contract/connections';
import type { Outcome, SessionState, SessionView } from '../../electron/contract/model';
import styles from './state-mark.module.css';

type Tone = 'quiet' | 'good' | 'active' | 'warn' | 'bad';

export interface Mark {
  icon: ComponentType<LucideProps>;
  tone: Tone;
  word: string;
  filled?: boolean;
}

const SESSIONS: Readonly<Record<SessionState, Mark>> = {
  starting: { icon: CircleDashed, tone: 'active', word: 'starting' },
  idle: { icon: Circle, tone: 'good', word: 'idle', filled: true },
  running: { icon: HalfCircle, tone: 'active', word: 'running' },
  debugger: { icon: Triangle, tone: 'warn', word: 'debugger', filled: true },
  lost: { icon: CircleX, tone: 'bad', word: 'lost' },
  asleep: { icon: Moon, tone: 'quiet', word: 'asleep' },
  ended: { icon: CircleSlash, tone: 'quiet', word: 'ended' },
};

/** For sessions attached to a server: the state of the connection. */
const ATTACHED: Readonly<Partial<Record<SessionState, Mark>>> = {
  starting: { icon: CircleDashed, tone: 'active', word: 'reconnecting' },
  idle: { icon: Link2, tone: 'good', word: 'connected' },
  lost: { icon: CircleX, tone: 'bad', word: 'failed, retrying' },
  ended: { icon: CircleSlash, tone: 'quiet', word: 'disconnected' },
};

const OUTCOMES: Readonly<Record<Outcome, Mark>> = {
  ok: { icon: Check, tone: 'good', word: 'ok' },
  error: { icon: X, tone: 'bad', word: 'error' },
  debugger: { icon: Triangle, tone: 'warn', word: 'debugger', filled: true },
  interrupted: { icon: Hand, tone: 'warn', word: 'interrupted' },
  crashed: { icon: OctagonX, tone: 'bad', word: 'crashed' },
  refused: { icon: Ban, tone: 'bad', word: 'refused' },
  running: { icon: HalfCircle, tone: 'active', word: 'running' },
};

const CONNECTIONS: Readonly<Record<ConnectState, Mark>> = {
  absent: { icon: CircleSlash, tone: 'quiet', word: 'not installed' },
  ready: { icon: Circle, tone: 'quiet', word: 'not connected' },
  connected: { icon: Link2, tone: 'good', word: 'connected' },
  dropped: { icon: TriangleAlert, tone: 'warn', word: 'dropped' },
  moved: { icon: TriangleAlert, tone: 'warn', word: 'address changed' },
  outdated: { icon: TriangleAlert, tone: 'warn', word: 'outdated' },
  foreign: { icon: TriangleAlert, tone: 'warn', word: 'not ours' },
  unreadable: { icon: Ban, tone: 'bad', word: 'unreadable' },
  manual: { icon: ClipboardPaste, tone: 'quiet', word: 'by hand' },
};

export function SessionMark({ state, server }: Pick<SessionView, 'state' | 'server'>) {
  const mark = (server && ATTACHED[state]) ?? SESSIONS[state];
  return <StateMark {...mark} />;
}

export function OutcomeMark({ outcome }: { outcome: Outcome }) {
  return <StateMark {...OUTCOMES[outcome]} />;
}

export function ConnectionMark({ state }: { state: ConnectState }) {
  return <StateMark {...CONNECTIONS[state]} />;
}

/** Says of a confined session that its code may open network connections, which most may not. */
export function NetworkMark({ sandbox }: Pick<SessionView, 'sandbox'>) {
  if (!sandbox.network) return null;
  return (
    <span className={styles.network} title="Its code may open network connections">
      <Globe size={13} aria-hidden />
      network
    </span>
  );
}

export function StateMark({ icon: Icon, tone, word, filled = false }: Mark) {
  return (
    <span className={styles.mark} data-tone={tone}>
      <Icon size={12} strokeWidth={2.4} fill={filled ? 'currentColor' : 'none'} aria-hidden />
      <span className={styles.word}>{word}</span>
    </span>
  );
}

/** lucide has no circle that is half filled and still reads as one at 12 pixels. */
function HalfCircle({ size }: LucideProps) {
  return (
    <svg width={size} height={size} viewBox="0 0 12 12" aria-hidden="true">
      <circle cx="6" cy="6" r="4.9" fill="none" stroke="currentColor" strokeWidth="1.2" />
      <path d="M6 1.1a4.9 4.9 0 0 1 0 9.8z" fill="currentColor" />
    </svg>
  );
}
