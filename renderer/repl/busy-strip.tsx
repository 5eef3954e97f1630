/** Above the editor: what somebody else runs in the session just now, with its own Stop, and what was typed and waits. */
import { CircleStop, Undo2 } from 'lucide-react';
import type { ListenerView } from '../../electron/contract/listener';
import type { SessionView } from '../../electron/contract/model';
import { tryCall } from '../bridge';
import { Button } from '../parts/button';
import { LispLine } from '../parts/lisp';
import { Duration } from '../parts/time';
import { useLive, useServices, useWords } from '../services';
import styles from './prompt.module.css';

interface BusyStripProps {
  session: SessionView;
  listener: ListenerView | null;
  /** Gets back what was typed. */
  onTakenBack: (text: string) => void;
}

export function BusyStrip({ session, listener, onTakenBack }: BusyStripProps) {
  return (
    <>
      {session.state === 'running' && <OthersWork session={session} listener={listener} />}
      <Waiting session={session} listener={listener} onTakenBack={onTakenBack} />
    </>
  );
}

function OthersWork({ session, listener }: Pick<BusyStripProps, 'session' | 'listener'>) {
  const words = useWords();
  const { actions } = useServices();
  const running = session.runningEvaluation;
  const row = useLive(({ evaluations }) => (running === null ? undefined : evaluations.get(running)));
  if (!row || row.id === listener?.evaluation) return null;
  const client = words.common.client(row.client);
  return (
    <section className={styles.strip} aria-label={words.repl.evaluates(client)}>
      <span>{words.repl.evaluates(client)}</span>
      <LispLine code={row.code} engine={row.engine} />
      <Duration ms={null} since={row.startedAt} />
      <Button icon={CircleStop} onPress={() => void actions.stop(session.id, row.id, false)}>
        {words.repl.stopClient(client)}
      </Button>
    </section>
  );
}

/** What was sent and has not begun, of which the newest is shown. All of it is taken back together. */
function Waiting({ session, listener, onTakenBack }: BusyStripProps) {
  const words = useWords();
  const { toasts } = useServices();
  const own = listener?.evaluation ?? null;
  const row = useLive(({ evaluations }) => (own === null ? undefined : evaluations.get(own)));
  const behind = row !== undefined && own !== session.runningEvaluation && row.outcome === 'running';
  const waiting = [...(behind ? [row.code] : []), ...(listener?.typed ?? [])];
  const newest = waiting.at(-1);
  if (newest === undefined) return null;
  const takeBack = async () => {
    const taken = await tryCall(toasts, 'listener:takeBack', { session: session.id });
    if (taken?.text) onTakenBack(taken.text);
  };
  return (
    <section className={styles.strip} aria-label={words.repl.waits}>
      <span>{words.repl.waiting(waiting.length)}</span>
      <LispLine code={newest} engine={session.engine} />
      <Button icon={Undo2} onPress={() => void takeBack()}>
        {words.repl.takeBack}
      </Button>
    </section>
  );
}
