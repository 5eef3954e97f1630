/** One evaluation in the transcript: who asked, the code, what it printed and answered, what became of it, and what to do with it. */
import { Bug, ChevronDown, ChevronRight, CircleStop, RotateCw } from 'lucide-react';
import { memo, useState } from 'react';
import type { Evaluation, HistoryRow } from '../../electron/contract/model';
import { useEvaluation } from '../bridge-queries';
import { ConditionLine } from '../evaluations/condition-view';
import { Output, piecesOf } from '../evaluations/values-and-output';
import { isWhole } from '../live';
import { Button, IconButton } from '../parts/button';
import { CopyButton } from '../parts/copy-button';
import { Problem } from '../parts/feedback';
import { keyed } from '../parts/keyed';
import { LispBlock, LispLine } from '../parts/lisp';
import { OutcomeMark } from '../parts/state-mark';
import { Duration } from '../parts/time';
import { Disclosure } from '../parts/view';
import { EventLine, WhyItFailed } from '../proofs/event-line';
import { onlyEvent, saysTrust, saysWhy } from '../proofs/proof-display';
import { TrustBadge } from '../proofs/trust-badge';
import { Steps, VerdictMark } from '../proofs/verdict-mark';
import { formatRoute, START_ROUTE } from '../route';
import { useLive, useServices, useWords } from '../services';
import { BlockValues } from './block-values';
import styles from './evaluation-block.module.css';
import { OutputTerminal } from './output-terminal';
import { ownOutput } from './own-output';

/** So few printed lines are shown at once: a line that opens them would save no room. */
const FEW_LINES = 3;

interface EvaluationBlockProps {
  row: HistoryRow;
  /** Whether the person at this window asked for it. */
  own: boolean;
  onAgain: (code: string) => void;
}

export const EvaluationBlock = memo(function EvaluationBlock({ row, own, onAgain }: EvaluationBlockProps) {
  const words = useWords();
  const [folded, setFolded] = useState(false);
  const [wholeAsked, setWholeAsked] = useState(false);
  const { data: whole, error } = useEvaluation(row.id, wholeAsked);
  const { id, engine, outcome } = row;
  const client = words.common.client(row.client);
  const code = whole?.code ?? row.code;
  const condition = shownCondition(row, whole);
  return (
    <article
      className={styles.block}
      data-outcome={outcome}
      aria-label={words.repl.block(id, client)}
      data-own={own || undefined}
    >
      <p className={styles.who} title={words.repl.whoIn(client, row.package)}>
        {client}
      </p>
      <div className={styles.body}>
        <div className={styles.head}>
          {/* Long code is scrolled here, by the keyboard as well. */}
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls has to take the keyboard */}
          <div className={styles.code} tabIndex={0}>
            {folded ? <LispLine code={code} engine={engine} /> : <LispBlock code={code} engine={engine} />}
          </div>
          <Tools row={{ ...row, code }} folded={folded} onFold={() => setFolded(!folded)} onAgain={onAgain} />
          <Figures row={row} />
        </div>
        {!folded && (
          <>
            <Printed row={row} whole={whole} beside={condition?.message ?? null} />
            <BlockValues row={row} whole={whole} inspectable={own} />
            {condition && <ConditionLine {...condition} />}
            <Notes row={row} whole={whole} />
            {error && <Problem>{error.message}</Problem>}
            {!whole && <ShowWhole row={row} onPress={() => setWholeAsked(true)} />}
            <Events row={row} />
            <Foot row={row} />
          </>
        )}
      </div>
    </article>
  );
});

function Tools({
  row: { id, code, outcome },
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
  return (
    <div className={styles.tools}>
      <CopyButton text={code} what={words.copying.evaluation(id)} />
      {outcome !== 'running' && (
        <IconButton icon={RotateCw} label={words.repl.again(id)} onPress={() => onAgain(code)} />
      )}
      <IconButton
        icon={folded ? ChevronRight : ChevronDown}
        label={folded ? words.repl.unfold(id) : words.repl.fold(id)}
        onPress={onFold}
      />
    </div>
  );
}

/** Its number, which leads to the history, and how long it took. */
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

/** For what a row of the list has only the beginning of. What is printed before a window's eyes it has, unless it was much. */
function ShowWhole({ row: { id, outcome, cut }, onPress }: { row: HistoryRow; onPress: () => void }) {
  const words = useWords();
  const printed = useLive(({ outputs }) => isWhole(outputs.get(id)));
  if (outcome === 'running' || !cut?.some((part) => part !== 'output' || !printed)) return null;
  return <Button onPress={onPress}> {words.repl.showWhole(id)} </Button>;
}

interface WholeProps {
  row: HistoryRow;
  /** All of it, where a person asked for that. */
  whole: Evaluation | undefined;
}

/** Where the key checkpoints of a proof say why it failed, the prover's message says less. */
function shownCondition(row: HistoryRow, whole: Evaluation | undefined) {
  const { conditionType: type, conditionMessage } = row;
  if (type === null || saysWhy(row)) return null;
  return { type, message: whole?.condition?.message ?? conditionMessage ?? '' };
}

interface PrintedProps extends WholeProps {
  /** The message of the condition that the block shows, which is said once. */
  beside: string | null;
}

/** What it prints streams into a terminal while it runs; after that it is text. */
function Printed({ row, whole, beside }: PrintedProps) {
  const running = row.outcome === 'running';
  const prints = useLive(({ outputs }) => (outputs.get(row.id)?.length ?? 0) > 0);
  if (running) return prints ? <OutputTerminal evaluation={row.id} /> : null;
  return <PrintedText row={row} whole={whole} beside={beside} />;
}

/** A prover fills pages about an event whose verdict says enough: its output stays closed until it is wanted. */
function PrintedText({ row, whole, beside }: PrintedProps) {
  const words = useWords();
  const live = useLive(({ outputs }) => outputs.get(row.id));
  const printed = (whole && piecesOf(whole.stdout, whole.stderr)) ?? live ?? piecesOf(row.output, '');
  const pieces = ownOutput(printed, beside);
  const lines = pieces.reduce((sum, { text }) => sum + text.trim().split('\n').length, 0);
  if (pieces.length === 0) return null;
  const output = <Output pieces={pieces} whole={whole !== undefined} />;
  if (!row.proof || row.proof.total === 0 || lines <= FEW_LINES) return output;
  return <Disclosure title={words.repl.printed(lines)}>{output}</Disclosure>;
}

/** What a person must know of it and did not ask: that its image is a new one, or why it was refused. */
function Notes({ row: { notes = [], cut }, whole }: WholeProps) {
  const words = useWords();
  const shown = cut?.includes('notes') && whole ? whole.notes : notes;
  if (shown.length === 0) return null;
  return (
    <ul className={styles.notes} aria-label={words.repl.notes} lang="en">
      {keyed(shown).map(({ key, item }) => (
        <li key={key}>{item}</li>
      ))}
    </ul>
  );
}

/** What became of each event. The foot says it of an only one, so that there is just why it failed. */
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

/** Said where it is not plain: an evaluation that ended well says so by its values. */
function Foot({ row }: { row: HistoryRow }) {
  const words = useWords();
  const { id, outcome, proof } = row;
  const only = onlyEvent(row);
  const trust = proof !== undefined && saysTrust(outcome, proof);
  if (outcome === 'running') return <Running row={row} />;
  if (!only && !trust && outcome === 'ok') return null;
  return (
    <div className={styles.foot}>
      {only ? <VerdictMark verdict={only.verdict} /> : outcome !== 'ok' && <OutcomeMark outcome={outcome} />}
      {only && <Steps steps={only.steps} />}
      {trust && <TrustBadge issues={proof.issues} subject={words.repl.evaluation(id)} />}
      {outcome === 'debugger' && <Held row={row} />}
    </div>
  );
}

/** The debugger of what is held is one press away. */
function Held({ row: { session, client } }: { row: HistoryRow }) {
  const words = useWords();
  const { actions } = useServices();
  return (
    <>
      <span>{client === 'you' ? words.repl.waitsForRestart : words.repl.clientWaitsForRestart(client)}</span>
      <Button icon={Bug} onPress={() => actions.openTab(session, 'debugger')}>
        {words.repl.debug}
      </Button>
    </>
  );
}

/** What runs, or waits for its turn, and a way to stop this one and no other. */
function Running({ row: { id, session, startedAt } }: { row: HistoryRow }) {
  const words = useWords();
  const { actions } = useServices();
  const waits = useLive(({ sessions }) => sessions.get(session)?.runningEvaluation !== id);
  return (
    <div className={styles.foot}>
      {waits ? <span>{words.repl.waitsForTurn}</span> : <OutcomeMark outcome="running" />}
      <Duration ms={null} since={startedAt} />
      <Button icon={CircleStop} onPress={() => void actions.stop(session, id, false)}>
        {waits ? words.repl.takeBack : words.repl.stop}
      </Button>
    </div>
  );
}
