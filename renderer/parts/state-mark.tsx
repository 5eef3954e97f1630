/**
 * Marks for states of sessions, evaluations and programs. Each has an icon and a word, so that color is never
 * the only cue.
 */
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
import type { ConnectState } from '../../electron/contract/clients';
import type { Outcome, SessionState, SessionView } from '../../electron/contract/model';
import type { TestTotals } from '../../electron/contract/report';
import type { Words } from '../../electron/words/words';
import { useWords } from '../services';
import styles from './state-mark.module.css';

type Tone = 'quiet' | 'good' | 'active' | 'warn' | 'bad';

export interface Mark {
  icon: ComponentType<LucideProps>;
  tone: Tone;
  word: string;
  filled?: boolean;
}

/** A mark without its word, which depends on the language. */
type Sign = Omit<Mark, 'word'>;

const SESSIONS: Readonly<Record<SessionState, Sign>> = {
  starting: { icon: CircleDashed, tone: 'active' },
  idle: { icon: Circle, tone: 'good', filled: true },
  running: { icon: HalfCircle, tone: 'active' },
  debugger: { icon: Triangle, tone: 'warn', filled: true },
  lost: { icon: CircleX, tone: 'bad' },
  asleep: { icon: Moon, tone: 'quiet' },
  ended: { icon: CircleSlash, tone: 'quiet' },
};

/** Connection states of sessions that are attached to a server. */
const ATTACHED: Readonly<Record<keyof Words['states']['attached'], Sign>> = {
  starting: { icon: CircleDashed, tone: 'active' },
  idle: { icon: Link2, tone: 'good' },
  lost: { icon: CircleX, tone: 'bad' },
  ended: { icon: CircleSlash, tone: 'quiet' },
};

const OUTCOMES: Readonly<Record<Outcome, Sign>> = {
  ok: { icon: Check, tone: 'good' },
  error: { icon: X, tone: 'bad' },
  debugger: { icon: Triangle, tone: 'warn', filled: true },
  interrupted: { icon: Hand, tone: 'warn' },
  crashed: { icon: OctagonX, tone: 'bad' },
  refused: { icon: Ban, tone: 'bad' },
  running: { icon: HalfCircle, tone: 'active' },
};

const CONNECTIONS: Readonly<Record<ConnectState, Sign>> = {
  absent: { icon: CircleSlash, tone: 'quiet' },
  ready: { icon: Circle, tone: 'quiet' },
  connected: { icon: Link2, tone: 'good' },
  dropped: { icon: TriangleAlert, tone: 'warn' },
  moved: { icon: TriangleAlert, tone: 'warn' },
  outdated: { icon: TriangleAlert, tone: 'warn' },
  foreign: { icon: TriangleAlert, tone: 'warn' },
  unreadable: { icon: Ban, tone: 'bad' },
  manual: { icon: ClipboardPaste, tone: 'quiet' },
};

export function SessionMark({ state, server }: Pick<SessionView, 'state' | 'server'>) {
  const words = useWords();
  return server && isOfAttached(state) ? (
    <StateMark {...ATTACHED[state]} word={words.states.attached[state]} />
  ) : (
    <StateMark {...SESSIONS[state]} word={words.states.session[state]} />
  );
}

function isOfAttached(state: SessionState): state is keyof typeof ATTACHED {
  return state in ATTACHED;
}

/** @param tests of an evaluation that ran tests: they may fail although it ended normally */
export function OutcomeMark({ outcome, tests }: { outcome: Outcome; tests?: TestTotals | null | undefined }) {
  const words = useWords();
  if (outcome === 'ok' && tests) return <StateMark {...testsMark(tests, words.states)} />;
  return <StateMark {...OUTCOMES[outcome]} word={words.states.outcome[outcome]} />;
}

function testsMark({ passed, failed, errors }: TestTotals, words: Words['states']): Mark {
  if (failed + errors > 0) return { ...OUTCOMES.error, word: words.testsFailed(failed + errors) };
  if (passed === 0) return { ...OUTCOMES.interrupted, icon: CircleSlash, word: words.testsUnknown };
  return { ...OUTCOMES.ok, word: words.testsPassed(passed) };
}

export function ConnectionMark({ state }: { state: ConnectState }) {
  const words = useWords();
  return <StateMark {...CONNECTIONS[state]} word={words.states.connection[state]} />;
}

/** Marks a confined session whose code can open network connections. */
export function NetworkMark({ sandbox }: Pick<SessionView, 'sandbox'>) {
  const words = useWords();
  if (!sandbox.network) return null;
  return (
    <span className={styles.network} title={words.states.networkAbout}>
      <Globe size={13} aria-hidden />
      {words.states.network}
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

/** Lucide has no half-filled circle that is legible at 12 pixels. */
function HalfCircle({ size }: LucideProps) {
  return (
    <svg width={size} height={size} viewBox="0 0 12 12" aria-hidden="true">
      <circle cx="6" cy="6" r="4.9" fill="none" stroke="currentColor" strokeWidth="1.2" />
      <path d="M6 1.1a4.9 4.9 0 0 1 0 9.8z" fill="currentColor" />
    </svg>
  );
}
