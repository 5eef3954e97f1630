/** The stack of the suspended evaluation. The selected frame is open. */

import { type FormEvent, useState } from 'react';
import { Input, TextField } from 'react-aria-components';
import type { FrameView, ListedFrame, SuspendedAt } from '../../electron/contract/debugger';
import type { Evaluation, SessionView } from '../../electron/contract/model';
import { ConditionLine } from '../evaluations/evaluation-result';
import { useFrame } from '../image-queries';
import { ValueLink } from '../inspector/value-link';
import { Button } from '../parts/button';
import { LispLine } from '../parts/code';
import fields from '../parts/field.module.css';
import { bareName } from '../parts/format';
import { noteFacts } from '../parts/note-facts';
import { keyed, Problem } from '../parts/view';
import { useWords } from '../services';
import styles from './debugger.module.css';
import { type DebuggerActions, debuggerProblem } from './debugger-actions';
import type { FrameGroup } from './debugger-model';
import { FormFields } from './restarts';
import { FrameSourceText, GroupedFrames } from './stack-view';

interface FrameUse {
  session: SessionView;
  suspendedAt: SuspendedAt;
  isBusy: boolean;
  /** Whether the form for return values is open. */
  isReturning: boolean;
  onReturning: (returning: boolean) => void;
  actions: DebuggerActions;
}

interface FrameListProps extends FrameUse {
  groups: readonly FrameGroup[];
  total: number;
  shown: number;
  selected: number;
  onSelect: (index: number) => void;
  onMore: () => void;
}

export function FrameList({ groups, total, shown, selected, onSelect, onMore, ...use }: FrameListProps) {
  const words = useWords();
  const line = (frame: ListedFrame) => (
    <Frame
      key={frame.index}
      frame={frame}
      isSelected={frame.index === selected}
      onSelect={onSelect}
      {...use}
    />
  );
  return (
    <section aria-label={words.evaluations.frames} className={styles.frames}>
      <h3>{words.debug.frames(total)}</h3>
      <GroupedFrames groups={groups} engine={use.session.engine} line={line} />
      {shown < total && (
        <Button onPress={onMore}>{words.debug.moreFrames(words.formats.number(total - shown))}</Button>
      )}
    </section>
  );
}

interface FrameProps extends FrameUse {
  frame: ListedFrame;
  isSelected: boolean;
  onSelect: (index: number) => void;
}

function Frame({ frame: { index, call, inner }, isSelected, onSelect, ...use }: FrameProps) {
  return (
    <li className={styles.frame} data-open={isSelected || undefined}>
      <button
        type="button"
        className={styles.call}
        data-frame={index}
        data-inner={inner || undefined}
        aria-expanded={isSelected}
        // Only the selected frame is a tab stop; the arrow keys move between frames.
        tabIndex={isSelected ? 0 : -1}
        onClick={() => onSelect(index)}
      >
        <span className={styles.index}>{index}</span>
        <LispLine code={call} engine={use.session.engine} />
      </button>
      {isSelected && <FrameDetail index={index} {...use} />}
    </li>
  );
}

/**
 * The selected frame: locals, source with the running form marked, evaluation among the locals, and actions.
 */
function FrameDetail({ index, ...use }: FrameUse & { index: number }) {
  const words = useWords();
  const { session, suspendedAt, isBusy, actions } = use;
  const { data, error } = useFrame(session, suspendedAt, index);
  return (
    <div className={styles.detail} aria-busy={!data}>
      {error && !data && <Problem>{debuggerProblem(error, words)}</Problem>}
      {data && <Contents session={session} frame={data} />}
      {/* Rendered before the frame has loaded, so that the user can type ahead. */}
      <FrameEvaluation
        session={session}
        isBusy={isBusy}
        onEvaluate={(code) => actions.evaluate(code, index)}
      />
      {data && <Leaving index={index} restarts={data.restarts} {...use} />}
    </div>
  );
}

function Contents({ session, frame }: { session: SessionView; frame: FrameView }) {
  const words = useWords();
  const { catches, source, form } = frame;
  return (
    <>
      <Locals session={session} frame={frame} />
      <FrameSourceText source={source} form={form} engine={session.engine} />
      {catches.length > 0 && (
        <p className={styles.catches}>
          {words.debug.catches} <code>{catches.join(', ')}</code>
        </p>
      )}
    </>
  );
}

type LeavingProps = FrameUse & { index: number; restarts: readonly string[] };

/** Buttons to return from the frame or restart it. */
function Leaving({ index, restarts, isBusy, isReturning, onReturning, actions }: LeavingProps) {
  const words = useWords();
  if (restarts.length === 0) return <p className={styles.hint}>{words.debug.neither}</p>;
  return (
    <>
      <p className={styles.buttons}>
        {restarts.includes('RETURN-FROM-FRAME') && (
          <Button isDisabled={isBusy} aria-expanded={isReturning} onPress={() => onReturning(!isReturning)}>
            {words.debug.returnFrom}
          </Button>
        )}
        {restarts.includes('RESTART-FRAME') && (
          <Button isDisabled={isBusy} onPress={() => void actions.restart('RESTART-FRAME', index)}>
            {words.debug.restartFrame}
          </Button>
        )}
      </p>
      {isReturning && (
        <FormFields
          label={words.debug.valuesToReturn}
          names={['values']}
          verb={words.debug.return}
          onSubmit={(forms) => actions.restartWith(forms, 'RETURN-FROM-FRAME', index)}
          onClose={() => onReturning(false)}
        />
      )}
    </>
  );
}

function Locals({ session, frame }: { session: SessionView; frame: FrameView }) {
  const words = useWords();
  const { locals, omitted, source, form } = frame;
  const isPlaced = source !== null || form !== null;
  if (locals.length === 0)
    return <p className={styles.hint}>{isPlaced ? words.debug.noLocals : words.debug.noLocalsNorPlace}</p>;
  return (
    <>
      <dl className={styles.locals} aria-label={words.debug.locals}>
        {locals.map(({ name, value, handle }) => (
          <div key={name}>
            <dt title={name}>{bareName(name)}</dt>
            <dd>
              <ValueLink session={session} text={value} from={handle === undefined ? null : { handle }} />
            </dd>
          </div>
        ))}
      </dl>
      {omitted !== undefined && <p className={styles.hint}>{words.debug.moreLocals(omitted)}</p>}
    </>
  );
}

// Evaluates code among the locals of a frame and shows the result.

interface FrameEvaluationProps {
  session: SessionView;
  isBusy: boolean;
  onEvaluate: (code: string) => Promise<Evaluation | undefined>;
}

function FrameEvaluation({ session, isBusy, onEvaluate }: FrameEvaluationProps) {
  const words = useWords();
  const [code, setCode] = useState('');
  const [last, setLast] = useState<Evaluation | null>(null);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (code.trim() === '' || isBusy) return;
    const row = await onEvaluate(code);
    if (!row) return;
    setLast(row);
    if (row.outcome === 'ok') setCode('');
  };
  return (
    <form
      aria-label={words.debug.evaluateIn}
      className={styles.evaluation}
      onSubmit={(event) => void submit(event)}
    >
      <TextField aria-label={words.debug.formIn} value={code} onChange={setCode}>
        <Input
          className={fields.text ?? ''}
          placeholder={words.debug.evaluateHint}
          spellCheck={false}
          data-evaluate
        />
      </TextField>
      {last && <Result session={session} evaluation={last} />}
    </form>
  );
}

function Result({ session, evaluation }: { session: SessionView; evaluation: Evaluation }) {
  const words = useWords();
  const { id, code, outcome, forms, condition, stdout, notes } = evaluation;
  const values = forms.at(-1)?.values ?? [];
  return (
    <output className={styles.result}>
      <code>{code}</code>
      {stdout !== '' && <pre>{stdout}</pre>}
      {outcome === 'ok' &&
        keyed(values).map(({ key, item }, place) => (
          <ValueLink key={key} session={session} text={item} from={place === 0 ? { evaluation: id } : null} />
        ))}
      {outcome === 'ok' && values.length === 0 && <span>{words.evaluations.noValues}</span>}
      {condition && <ConditionLine type={condition.type} message={condition.message} />}
      {outcome !== 'ok' && !condition && (
        <span>{noteFacts(notes).join(' ') || words.states.outcome[outcome]}</span>
      )}
    </output>
  );
}
