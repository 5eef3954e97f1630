/** What a prover tells of one evaluation: what it rests on, and of each event what became of it and why. */
import type { EngineName, FormResult } from '../../electron/contract/model';
import type { EventReport, ProofFigures, ProofReport, Suggestion } from '../../electron/contract/proof';
import type { AdmittedEvent, LostCommand } from '../../electron/contract/world';
import { CopyButton } from '../parts/copy-button';
import { count } from '../parts/format';
import { keyed } from '../parts/growing-list';
import { LispBlock, LispLine } from '../parts/lisp';
import { Disclosure } from '../parts/view';
import { KeyCheckpointGroups } from './key-checkpoints';
import styles from './proof-report.module.css';
import { TrustIssues } from './trust-badge';
import { Figures, VerdictMark } from './verdict-mark';

interface ProofViewProps {
  proof: ProofReport;
  forms: readonly FormResult[];
  engine: EngineName;
}

export function ProofView({ proof: { events, issues, lost = [] }, forms, engine }: ProofViewProps) {
  // The code of a single event is the evaluation's own, which is shown above.
  const many = events.length > 1;
  return (
    <div className={styles.proof}>
      {issues.length > 0 && <TrustIssues issues={issues} />}
      {events.length > 0 && (
        <ol className={styles.events} aria-label="Events">
          {keyed(events).map(({ key, item }) => (
            <Event key={key} event={item} title={many ? titleOf(item, forms) : ''} engine={engine} />
          ))}
        </ol>
      )}
      {lost.length > 0 && <Lost commands={lost} engine={engine} />}
    </div>
  );
}

/** Where the form stands if it was loaded, else its code, else its operator. */
function titleOf({ place, operator, form }: EventReport, forms: readonly FormResult[]): string {
  if (place) return `${operator ?? 'form'} ; ${place.file}:${place.line}`;
  return forms[form]?.code ?? operator ?? 'form';
}

interface EventProps {
  event: EventReport;
  /** Lisp code, which is cut where there is no room for it. */
  title: string;
  engine: EngineName;
}

function Event({ event, title, engine }: EventProps) {
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
          <span title="The world’s last command after it">command {command}</span>
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
  return (
    <section aria-label="Suggestions">
      <h3>Suggestions, made up from the failure and not tried</h3>
      <ul className={styles.suggestions}>
        {keyed(suggestions).map(({ key, item: { kind, text, form } }) => (
          <li key={key}>
            <p>
              <span className={styles.kind}>{kind}</span> {text}
            </p>
            {form !== null && (
              <div className={styles.form}>
                <LispBlock code={form} engine={engine} />
                <CopyButton text={form} what="form" />
              </div>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}

function Lost({ commands, engine }: { commands: readonly LostCommand[]; engine: EngineName }) {
  return (
    <section aria-label="Not in the world any more">
      <h3>Not in the world any more</h3>
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
  if (eventCount < 2) return null;
  return (
    <ul className={styles.admitted} aria-label="Events of the form">
      {keyed(events).map(({ key, item }) => (
        <li key={key} style={{ paddingLeft: 12 * item.depth }}>
          {admittedText(item)}
        </li>
      ))}
      {eventCount > events.length && <li>and {count(eventCount - events.length, 'more event')}</li>}
    </ul>
  );
}

function admittedText({ kind, names, skipped }: AdmittedEvent): string {
  return [kind, ...names, ...(skipped ? ['(not proved)'] : [])].join(' ');
}

/** The lists among an event's figures, the most telling first. */
const LISTS: Readonly<Record<ListName, string>> = {
  abortCauses: 'Stopped by',
  rules: 'Rules',
  hintEvents: 'Hint events',
  splitterRules: 'Splitter rules',
  warnings: 'Warnings',
};

type ListName = Exclude<keyof ProofFigures, 'steps' | 'milliseconds'>;

function Lists({ figures }: { figures: ProofFigures }) {
  const names = Object.keys(LISTS) as ListName[];
  return names
    .filter((name) => figures[name].length > 0)
    .map((name) => (
      <Disclosure key={name} title={`${LISTS[name]} (${figures[name].length})`}>
        <ul className={styles.list}>
          {keyed(figures[name]).map(({ key, item }) => (
            <li key={key}>{item === TYPE_REASONING ? 'primitive type reasoning' : item}</li>
          ))}
        </ul>
      </Disclosure>
    ));
}

/** What ACL2 puts among the rules when its type reasoning needed no rule. */
const TYPE_REASONING = '(:FAKE-RUNE-FOR-TYPE-SET NIL)';
