/** The proof-builder tab: proving a conjecture by instructions. */

import { Undo2 } from 'lucide-react';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { Input, TextField } from 'react-aria-components';
import type { SessionView } from '../../electron/contract/model';
import { Button, CopyButton } from '../parts/button';
import { LispBlock, LispLine } from '../parts/code';
import fields from '../parts/field.module.css';
import { ScrollArea } from '../parts/scroll-area';
import { keyed, Problem } from '../parts/view';
import { BuilderGoals } from '../proofs/proof-report';
import { useServices, useViewState, useWords } from '../services';
import { type Build, NO_BUILD } from '../view-state';
import styles from './builder-tab.module.css';

export function BuilderTab({ session }: { session: SessionView }) {
  const words = useWords();
  const { build, change, run, isBusy } = useBuild(session);
  const { conjecture, term, problem } = build;
  return (
    <ScrollArea label={words.session.tabs.builder} className={styles.builder}>
      <Line
        label={words.world.builder.conjecture}
        hint="(implies (true-listp x) (equal (append x nil) x))"
        text={conjecture}
        button={words.world.builder.begin}
        isBusy={isBusy}
        onChange={(text) => change({ conjecture: text })}
        onSubmit={() => void run(conjecture, [])}
      />
      {problem?.with === 'conjecture' && <Problem>{problem.text}</Problem>}
      {term === '' ? (
        <p className={styles.about}>{words.world.builder.about}</p>
      ) : (
        <Steps build={build} change={change} run={run} isBusy={isBusy} session={session} />
      )}
    </ScrollArea>
  );
}

/** The state of the proof-builder and its operations. */
interface Building {
  build: Build;
  change: (part: Partial<Build>) => void;
  /** Proves `term` by the instructions. They are saved if all succeed. */
  run: (term: string, instructions: readonly string[]) => Promise<void>;
  isBusy: boolean;
}

function useBuild({ id, state }: SessionView): Building {
  const { actions, viewState } = useServices();
  const build = useViewState(({ builds }) => builds[id]) ?? NO_BUILD;
  const [isRunning, setRunning] = useState(false);
  const change = (part: Partial<Build>) =>
    viewState.setState(({ builds }) => ({
      builds: { ...builds, [id]: { ...(builds[id] ?? NO_BUILD), ...part } },
    }));
  const run = async (term: string, instructions: readonly string[]) => {
    if (term.trim() === '') return;
    setRunning(true);
    const built = await actions.harbor.world.build({ session: id, term, instructions: [...instructions] });
    setRunning(false);
    if (!built) return;
    const { problem, goals } = built;
    if (problem === null) return change({ term, instructions, goals, next: '', problem });
    change({ problem: { text: problem, with: instructions.length === 0 ? 'conjecture' : 'instruction' } });
  };
  return { build, change, run, isBusy: isRunning || state === 'running' };
}

function Steps({ build, change, run, isBusy, session: { engine } }: Building & { session: SessionView }) {
  const { world, copying } = useWords();
  const { term, instructions, next, goals, problem } = build;
  return (
    <>
      <LispBlock code={term} engine={engine} />
      {instructions.length > 0 && (
        <div className={styles.done}>
          <ol aria-label={world.builder.instructions}>
            {keyed(instructions).map(({ key, item }) => (
              <li key={key}>
                <LispLine code={item} engine={engine} />
              </li>
            ))}
          </ol>
          <Button icon={Undo2} isDisabled={isBusy} onPress={() => void run(term, instructions.slice(0, -1))}>
            {world.builder.undoLast}
          </Button>
        </div>
      )}
      <BuilderGoals goals={goals} engine={engine} />
      {goals.length === 0 ? (
        <section aria-label={world.builder.admit}>
          <p>{world.builder.admit}</p>
          <LispBlock code={builtEvent(build)} engine={engine} />
          <CopyButton text={builtEvent(build)} what={copying.form} wide />
        </section>
      ) : (
        <>
          <Line
            label={world.builder.next}
            hint={world.builder.hint}
            text={next}
            isBusy={isBusy}
            onChange={(text) => change({ next: text })}
            onSubmit={() => void run(term, [...instructions, next.trim()])}
          />
          {problem?.with === 'instruction' && <FailureInSight problem={problem} />}
        </>
      )}
    </>
  );
}

/**
 * An error message scrolled into view, because the field may be the only visible part. Scrolls again for an
 * identical error.
 */
function FailureInSight({ problem }: { problem: { text: string } }) {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (problem) place.current?.scrollIntoView({ block: 'nearest' });
  }, [problem]);
  return (
    <div ref={place}>
      <Problem>{problem.text}</Problem>
    </div>
  );
}

interface LineProps {
  label: string;
  hint: string;
  text: string;
  /** The label of the button; absent if only Enter submits. */
  button?: string;
  isBusy: boolean;
  onChange: (text: string) => void;
  onSubmit: () => void;
}

function Line({ label, hint, text, button, isBusy, onChange, onSubmit }: LineProps) {
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (text.trim() !== '' && !isBusy) onSubmit();
  };
  return (
    <form className={styles.line} onSubmit={submit}>
      <TextField aria-label={label} value={text} onChange={onChange}>
        <Input className={fields.text ?? ''} placeholder={hint} spellCheck={false} />
      </TextField>
      {button !== undefined && (
        <Button type="submit" isDisabled={isBusy || text.trim() === ''}>
          {button}
        </Button>
      )}
    </form>
  );
}

/** Returns the event that admits the proof. */
function builtEvent({ term, instructions }: Pick<Build, 'term' | 'instructions'>): string {
  return `(defthm a-name\n  ${term}\n  :instructions (${instructions.join(' ')}))`;
}
