/** The chosen frame: its locals, its source with the form that runs, evaluation among the locals, and what can be done to it. */
import type { FrameView } from '../../electron/contract/debugger';
import type { SessionView } from '../../electron/contract/model';
import { useFrame } from '../image-queries';
import { ValueLink } from '../inspector/value-link';
import { Button } from '../parts/button';
import { Problem } from '../parts/feedback';
import { bareName } from '../parts/format';
import { useWords } from '../services';
import styles from './debugger.module.css';
import { FormFields } from './form-fields';
import { FrameEvaluation } from './frame-evaluation';
import type { FrameUse } from './frame-list';
import { FrameSourceText } from './frame-source-text';
import { heldProblem } from './held-problem';

export function FrameDetail({ index, ...use }: FrameUse & { index: number }) {
  const words = useWords();
  const { session, held, isBusy, actions } = use;
  const { data, error } = useFrame(session, held, index);
  return (
    <div className={styles.detail} aria-busy={!data}>
      {error && !data && <Problem>{heldProblem(error, words)}</Problem>}
      {data && <Contents session={session} frame={data} />}
      {/* There at once, so that who types ahead types into it. */}
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

/** What can be done to the frame itself. */
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
