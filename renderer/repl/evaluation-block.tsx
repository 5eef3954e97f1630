/**
 * One evaluation in the transcript: code, output, values, outcome and actions. A bar has the color of its client,
 * whose name is written where it changes.
 */

import { Activity, Bug, ChevronDown, ChevronRight, CircleStop, Pause, RotateCw } from 'lucide-react';
import { memo, useState } from 'react';
import { MenuTrigger } from 'react-aria-components';
import type { PERSON_KEY } from '../../electron/contract/known-clients';
import type { Evaluation, HistoryRow } from '../../electron/contract/model';
import type { Note } from '../../electron/contract/note';
import { useEvaluation } from '../bridge-queries';
import { ConditionLine, FoldedOutput, isStep, Output, piecesOf } from '../evaluations/evaluation-result';
import { isWhole, ownOutput } from '../live';
import { Button, CopyButton, IconButton, Menu, MenuItem } from '../parts/button';
import { LispBlock, LispLine } from '../parts/code';
import { noteFacts } from '../parts/note-facts';
import { OutcomeMark } from '../parts/state-mark';
import { Duration } from '../parts/text';
import { Disclosure, keyed, Problem } from '../parts/view';
import { onlyEvent, showsReason, showsTrust } from '../proofs/proof-display';
import { EventLine, Steps, VerdictMark, WhyItFailed } from '../proofs/proof-event';
import { TrustBadge } from '../proofs/trust-badge';

import { formatRoute, START_ROUTE } from '../route';
import { useLive, useServices, useWords } from '../services';
import { BlockValues } from './block-values';
import styles from './evaluation-block.module.css';
import { OutputTerminal } from './output-terminal';
import { SuspendedBlock, useSuspendedLevel } from './suspension';

/** Output of a proof with at most this many lines is shown without a disclosure. */
const FEW_LINES = 3;

const YOU: typeof PERSON_KEY = 'you';

interface EvaluationBlockProps {
  row: HistoryRow;
  /** Whether the user of this window evaluated it. */
  own: boolean;
  /** Whether the evaluation before it is of another client. */
  named: boolean;
  onAgain: (code: string) => void;
}

export const EvaluationBlock = memo(function EvaluationBlock({
  row,
  own,
  named,
  onAgain,
}: EvaluationBlockProps) {
  const words = useWords();
  const [folded, setFolded] = useState(false);
  const [wholeRequested, setWholeRequested] = useState(false);
  const { data: whole, error } = useEvaluation(row.id, wholeRequested);
  const { id, engine, outcome } = row;
  const client = words.common.client(row.client);
  const code = whole?.code ?? row.code;
  const condition = shownCondition(row, whole);
  const level = useSuspendedLevel(row);
  return (
    <>
      <NewImage row={row} whole={whole} />
      <article
        className={styles.block}
        data-outcome={outcome}
        data-steps={isStep(row.conditionType ?? '') || undefined}
        aria-label={words.repl.block(id, client)}
        data-own={own || undefined}
        data-hue={hueOf(row.client)}
      >
        {named && (
          <p className={styles.who} title={words.repl.whoIn(client, row.package)}>
            {client}
          </p>
        )}
        <div className={styles.body}>
          <div className={styles.head}>
            {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scroll area must be focusable */}
            <div className={styles.code} tabIndex={0}>
              {folded ? <LispLine code={code} engine={engine} /> : <LispBlock code={code} engine={engine} />}
            </div>
            <div className={styles.end}>
              <Figures row={row} />
              <Tools
                row={{ ...row, code }}
                folded={folded}
                onFold={() => setFolded(!folded)}
                onAgain={onAgain}
              />
            </div>
          </div>
          {!folded && (
            <>
              <Printed row={row} whole={whole} conditionMessage={condition?.message ?? null} />
              <BlockValues row={row} whole={whole} inspectable={own} />
              {condition && level === null && <ConditionLine {...condition} />}
              <Notes row={row} whole={whole} />
              {error && <Problem>{error.message}</Problem>}
              {!whole && <ShowWhole row={row} onPress={() => setWholeRequested(true)} />}
              <Events row={row} />
              {level === null ? (
                <Foot row={row} />
              ) : (
                <SuspendedBlock row={row} level={level} onSubmit={onAgain} />
              )}
            </>
          )}
        </div>
      </article>
    </>
  );
});

/** The number of hues for clients other than the user at the window. */
const HUES = 3;

/** The color of a client, from 2; 1 is the user at the window. It means no state. */
function hueOf(client: string): number {
  if (client === YOU) return 1;
  let sum = 0;
  for (const character of client) sum = (sum * 31 + (character.codePointAt(0) ?? 0)) % 997;
  return 2 + (sum % HUES);
}

function Tools({
  row,
  folded,
  onFold,
  onAgain,
}: {
  row: HistoryRow;
  folded: boolean;
  onFold: () => void;
  onAgain: (code: string) => void;
}) {
  const words = useWords();
  const { id, code, outcome } = row;
  return (
    <div className={styles.tools}>
      <CopyButton text={code} what={words.copying.evaluation(id)} />
      {outcome !== 'running' && (
        <IconButton icon={RotateCw} label={words.repl.again(id)} onPress={() => onAgain(code)} />
      )}
      {outcome !== 'running' && <Measures row={row} />}
      <IconButton
        icon={folded ? ChevronRight : ChevronDown}
        label={folded ? words.repl.unfold(id) : words.repl.fold(id)}
        onPress={onFold}
      />
    </div>
  );
}

/** Kinds whose code is that of a client, and can run again. */
const RUNS_AGAIN: ReadonlySet<HistoryRow['kind']> = new Set<HistoryRow['kind']>(['eval', 'listener']);

/** The menu that runs the code again under the profiler or traced, if the session can. */
function Measures({ row: { id, session, kind } }: { row: HistoryRow }) {
  const words = useWords();
  const { actions } = useServices();
  const measures = useLive(({ sessions }) => sessions.get(session)?.measures);
  if (!measures || !RUNS_AGAIN.has(kind)) return null;
  return (
    <MenuTrigger>
      <IconButton icon={Activity} label={words.run.more(id)} />
      <Menu label={words.run.more(id)}>
        <MenuItem
          title={words.run.profile}
          about={words.run.profileAbout}
          isDisabled={!measures.profile}
          onChoose={() => void actions.measure(session, id, 'profile')}
        />
        <MenuItem
          title={words.run.trace}
          about={words.run.traceAbout}
          isDisabled={!measures.trace}
          onChoose={() => void actions.measure(session, id, 'trace')}
        />
      </Menu>
    </MenuTrigger>
  );
}

/** The id, which links to the history, and the duration. */
function Figures({ row: { id, durationMs, startedAt, outcome } }: { row: HistoryRow }) {
  const words = useWords();
  return (
    <p className={styles.figures}>
      <a
        href={formatRoute({ ...START_ROUTE, view: 'history', evaluation: id })}
        title={words.repl.inHistory(id)}
      >
        #{id}
      </a>
      {outcome !== 'running' && <Duration ms={durationMs} since={startedAt} before=" · " />}
    </p>
  );
}

/**
 * The button that loads the full output and values. Output that was displayed live is complete, unless it was
 * very long.
 */
function ShowWhole({ row: { id, outcome, cut }, onPress }: { row: HistoryRow; onPress: () => void }) {
  const words = useWords();
  const printed = useLive(({ outputs }) => isWhole(outputs.get(id)));
  if (outcome === 'running' || !cut?.some((part) => part !== 'output' || !printed)) return null;
  return <Button onPress={onPress}> {words.repl.showWhole(id)} </Button>;
}

interface WholeProps {
  row: HistoryRow;
  /** The full evaluation, if the user requested it. */
  whole: Evaluation | undefined;
}

/** Omits the condition if the key checkpoints of a proof describe the failure better. */
function shownCondition(row: HistoryRow, whole: Evaluation | undefined) {
  const { conditionType: type, conditionMessage } = row;
  if (type === null || showsReason(row)) return null;
  return { type, message: whole?.condition?.message ?? conditionMessage ?? '' };
}

interface PrintedProps extends WholeProps {
  /** The message of the condition in the block, which is removed from the output. */
  conditionMessage: string | null;
}

/** Output is shown in a terminal while the evaluation runs, and as text afterwards. */
function Printed({ row, whole, conditionMessage }: PrintedProps) {
  const running = row.outcome === 'running';
  const prints = useLive(({ outputs }) => (outputs.get(row.id)?.length ?? 0) > 0);
  if (running) return prints ? <OutputTerminal evaluation={row.id} /> : null;
  return <PrintedText row={row} whole={whole} conditionMessage={conditionMessage} />;
}

/** Long output is folded; of a proof nothing is shown, because the verdict usually suffices. */
function PrintedText({ row, whole, conditionMessage }: PrintedProps) {
  const words = useWords();
  const live = useLive(({ outputs }) => outputs.get(row.id));
  const printed = (whole && piecesOf(whole.stdout, whole.stderr)) ?? live ?? piecesOf(row.output, '');
  const pieces = ownOutput(printed, conditionMessage);
  if (pieces.length === 0) return null;
  if (!row.proof || row.proof.total === 0)
    return <FoldedOutput pieces={pieces} whole={whole !== undefined} />;
  const output = <Output pieces={pieces} whole={whole !== undefined} />;
  const lines = pieces.reduce((sum, { text }) => sum + text.trim().split('\n').length, 0);
  return lines <= FEW_LINES ? output : <Disclosure title={words.repl.printed(lines)}>{output}</Disclosure>;
}

/** Kinds of notes about a replaced image. The first of them says what happened. */
const IMAGE_KINDS: ReadonlySet<Note['kind']> = new Set<Note['kind']>([
  'new_image',
  'restored',
  'not_restored',
]);

function notesOf({ row: { notes = [], cut }, whole }: WholeProps): readonly Note[] {
  return cut?.includes('notes') && whole ? whole.notes : notes;
}

/** A line between the evaluations of two images: the first note about the new one, and all of them on request. */
function NewImage(props: WholeProps) {
  const words = useWords();
  const facts = noteFacts(notesOf(props).filter(({ kind }) => IMAGE_KINDS.has(kind)));
  if (facts.length === 0) return null;
  return (
    <details className={styles.newImage}>
      <summary>
        <span>{words.repl.newImage}</span>
        <span lang="en">{facts[0]}</span>
        <span className={styles.more}>{words.repl.details}</span>
      </summary>
      <ul lang="en" aria-label={words.repl.notes}>
        {keyed(facts).map(({ key, item }) => (
          <li key={key}>{item}</li>
        ))}
      </ul>
    </details>
  );
}

/** Notes that concern the user, such as a reason for a refusal. */
function Notes(props: WholeProps) {
  const words = useWords();
  const shown = noteFacts(notesOf(props).filter(({ kind }) => !IMAGE_KINDS.has(kind)));
  if (shown.length === 0) return null;
  return (
    <ul className={styles.notes} aria-label={words.repl.notes} lang="en">
      {keyed(shown).map(({ key, item }) => (
        <li key={key}>{item}</li>
      ))}
    </ul>
  );
}

/**
 * The outcome of each event. For a single event the footer shows the outcome, and this shows only the reason
 * of a failure.
 */
function Events({ row }: { row: HistoryRow }) {
  const words = useWords();
  const { proof, id, engine } = row;
  if (!proof || proof.total === 0) return null;
  const { events, total } = proof;
  const earlier = total - events.length;
  const located = keyed(events).map(({ key, item }, index) => ({
    key,
    event: item,
    location: { evaluation: id, engine, index: earlier + index },
  }));
  if (onlyEvent(row)) return located.map(({ key, ...only }) => <WhyItFailed key={key} {...only} />);
  return (
    <ol className={styles.events} aria-label={words.repl.events}>
      {earlier > 0 && <li className={styles.earlier}>{words.repl.eventsBefore(earlier)}</li>}
      {located.map(({ key, ...each }) => (
        <EventLine key={key} {...each} />
      ))}
    </ol>
  );
}

/** The outcome, unless it is obvious: the values of a successful evaluation show that it succeeded. */
function Foot({ row }: { row: HistoryRow }) {
  const words = useWords();
  const { actions } = useServices();
  const { id, outcome, proof, tests } = row;
  const only = onlyEvent(row);
  const trust = proof !== undefined && showsTrust(outcome, proof);
  if (outcome === 'running') return <Running row={row} />;
  if (!only && !trust && !tests && outcome === 'ok') return null;
  return (
    <div className={styles.foot}>
      {only ? (
        <VerdictMark verdict={only.verdict} />
      ) : (
        (tests || outcome !== 'ok') && <OutcomeMark outcome={outcome} tests={tests} />
      )}
      {only && <Steps steps={only.steps} />}
      {trust && <TrustBadge issues={proof.issues} subject={words.repl.evaluation(id)} />}
      {outcome === 'debugger' && (
        <Button icon={Bug} onPress={() => actions.openTab(row.session, 'debugger')}>
          {words.repl.debug}
        </Button>
      )}
    </div>
  );
}

/** A running or queued evaluation, with a button that stops it. */
function Running({ row: { id, session, startedAt } }: { row: HistoryRow }) {
  const words = useWords();
  const { actions } = useServices();
  const waits = useLive(({ sessions }) => sessions.get(session)?.runningEvaluation !== id);
  const canBreak = useLive(({ sessions }) => !waits && sessions.get(session)?.measures?.break === true);
  return (
    <div className={styles.foot}>
      {waits ? <span>{words.repl.waitsForTurn}</span> : <OutcomeMark outcome="running" />}
      <Duration ms={null} since={startedAt} />
      {canBreak && (
        <Button icon={Pause} onPress={() => void actions.breakIn(session, id)}>
          {words.run.breakIn}
        </Button>
      )}
      <Button
        icon={CircleStop}
        onPress={() => void actions.harbor.sessions.stop({ session, evaluation: id, byForce: false })}
      >
        {waits ? words.repl.withdraw : words.repl.stop}
      </Button>
    </div>
  );
}
