/** What a prover tells of one evaluation: what it rests on, and of each event what became of it and why. */
import type { EngineName, FormResult } from '../../electron/contract/model';
import type { EventReport, ProofFigures, ProofReport, Suggestion } from '../../electron/contract/proof';
import type { AdmittedEvent, LostCommand } from '../../electron/contract/world';
import type { Words } from '../../electron/words/words';
import { CopyButton } from '../parts/copy-button';
import { keyed } from '../parts/keyed';
import { LispBlock, LispLine } from '../parts/lisp';
import { Disclosure } from '../parts/view';
import { useWords } from '../services';
import { BuilderGoals } from './builder-goals';
import { KeyCheckpointGroups } from './key-checkpoints';
import styles from './proof-report.module.css';
import { RuleObservationView } from './rule-observation';
import { TrustIssues } from './trust-badge';
import { Figures, VerdictMark } from './verdict-mark';

interface ProofViewProps {
  proof: ProofReport;
  forms: readonly FormResult[];
  engine: EngineName;
}

export function ProofView({ proof, forms, engine }: ProofViewProps) {
  const { events, issues, lost = [], observation, builder, certification } = proof;
  const words = useWords();
  // The code of a single event is the evaluation's own, which is shown above.
  const many = events.length > 1;
  return (
    <div className={styles.proof}>
      {issues.length > 0 && <TrustIssues issues={issues} />}
      {events.length > 0 && (
        <ol className={styles.events} aria-label={words.proofs.events}>
          {keyed(events).map(({ key, item }) => (
            <Event key={key} event={item} title={many ? titleOf(item, forms, words) : ''} engine={engine} />
          ))}
        </ol>
      )}
      {observation && <RuleObservationView observation={observation} engine={engine} />}
      {builder && <BuilderGoals goals={builder.goals} engine={engine} />}
      {certification && <p>{words.proofs.certified(certification)}</p>}
      {lost.length > 0 && <Lost commands={lost} engine={engine} />}
    </div>
  );
}

/** Where the form stands if it was loaded, else its code, else its operator. */
function titleOf(
  { place, operator, form }: EventReport,
  forms: readonly FormResult[],
  { proofs }: Words,
): string {
  const called = operator ?? proofs.form;
  if (place) return `${called} ; ${place.file}:${place.line}`;
  return forms[form]?.code ?? called;
}

interface EventProps {
  event: EventReport;
  /** Lisp code, which is cut where there is no room for it. */
  title: string;
  engine: EngineName;
}

function Event({ event, title, engine }: EventProps) {
  const words = useWords();
  const { verdict, figures, checkpoints, command, suggestions = [] } = event;
  return (
    <li>
      <header>
        <VerdictMark verdict={verdict} />
        <span className={styles.title}>
          <LispLine code={title} engine={engine} />
        </span>
        <span className={styles.figures}>
          <Figures milliseconds={figures?.milliseconds ?? null} steps={figures?.steps ?? null} />
          <span title={words.proofs.lastCommand}>{words.proofs.command(command)}</span>
        </span>
      </header>
      <Admitted event={event} />
      {checkpoints && <KeyCheckpointGroups checkpoints={checkpoints} engine={engine} />}
      {suggestions.length > 0 && <Suggestions suggestions={suggestions} engine={engine} />}
      {figures && <Lists figures={figures} />}
    </li>
  );
}

function Suggestions({ suggestions, engine }: { suggestions: readonly Suggestion[]; engine: EngineName }) {
  const words = useWords();
  return (
    <section aria-label={words.proofs.suggestions}>
      <h3>{words.proofs.suggestionsAbout}</h3>
      <ul className={styles.suggestions}>
        {keyed(suggestions).map(({ key, item: { kind, text, form } }) => (
          <li key={key}>
            <p>
              <span className={styles.kind}>{words.proofs.suggested[kind]}</span>{' '}
              <span lang="en">{text}</span>
            </p>
            {form !== null && (
              <div className={styles.form}>
                <LispBlock code={form} engine={engine} />
                <CopyButton text={form} what={words.copying.form} />
              </div>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}

function Lost({ commands, engine }: { commands: readonly LostCommand[]; engine: EngineName }) {
  const words = useWords();
  return (
    <section aria-label={words.proofs.lost}>
      <h3>{words.proofs.lost}</h3>
      <ul className={styles.lost}>
        {commands.map(({ command, form, because }) => (
          <li key={command}>
            <LispLine code={form} engine={engine} />
            <p>{because}</p>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** The events of a form that brought more than one. */
function Admitted({ event: { events, eventCount } }: { event: EventReport }) {
  const words = useWords();
  if (eventCount < 2) return null;
  return (
    <ul className={styles.admitted} aria-label={words.proofs.eventsOf}>
      {keyed(events).map(({ key, item }) => (
        <li key={key} style={{ paddingLeft: 12 * item.depth }}>
          {admittedText(item, words)}
        </li>
      ))}
      {eventCount > events.length && <li>{words.proofs.moreEvents(eventCount - events.length)}</li>}
    </ul>
  );
}

function admittedText({ kind, names, skipped }: AdmittedEvent, { proofs }: Words): string {
  return [kind, ...names, ...(skipped ? [proofs.notProved] : [])].join(' ');
}

/** The lists among an event's figures, the most telling first. */
const LISTS: readonly ListName[] = ['abortCauses', 'rules', 'hintEvents', 'splitterRules', 'warnings'];

type ListName = Exclude<keyof ProofFigures, 'steps' | 'milliseconds'>;

function Lists({ figures }: { figures: ProofFigures }) {
  const words = useWords();
  return LISTS.filter((name) => figures[name].length > 0).map((name) => (
    <Disclosure key={name} title={words.proofs.listOf(words.proofs.lists[name], figures[name].length)}>
      <ul className={styles.list}>
        {keyed(figures[name]).map(({ key, item }) => (
          <li key={key}>{item === TYPE_REASONING ? words.proofs.typeReasoning : item}</li>
        ))}
      </ul>
    </Disclosure>
  ));
}

/** What ACL2 puts among the rules when its type reasoning needed no rule. */
const TYPE_REASONING = '(:FAKE-RUNE-FOR-TYPE-SET NIL)';
