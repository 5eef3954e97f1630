/** What a prover tells of one evaluation: what it rests on, and of each event what became of it and why. */
import type { EngineName, FormResult } from '../../electron/contract/model';
import type { AdmittedEvent, EventReport, ProofFigures, ProofReport } from '../../electron/contract/proof';
import { Disclosure } from '../parts/disclosure';
import { count } from '../parts/format';
import { keyed } from '../parts/keyed';
import { LispLine } from '../parts/lisp';
import { TrustIssues } from '../parts/trust-badge';
import { Figures, VerdictMark } from '../parts/verdict-mark';
import { KeyCheckpointGroups } from './key-checkpoints';
import styles from './proof.module.css';

interface ProofViewProps {
  proof: ProofReport;
  forms: readonly FormResult[];
  engine: EngineName;
}

export function ProofView({ proof: { events, issues, lost = [] }, forms, engine }: ProofViewProps) {
  return (
    <div className={styles.proof}>
      {issues.length > 0 && <TrustIssues issues={issues} />}
      {events.length > 0 && (
        <ol className={styles.events} aria-label="Events">
          {keyed(events).map(({ key, item }) => (
            <Event key={key} event={item} code={forms[item.form]?.code} engine={engine} />
          ))}
        </ol>
      )}
      {lost.length > 0 && (
        <section aria-label="Not in the world any more">
          <h4>Not in the world any more</h4>
          <ul className={styles.lost}>
            {lost.map(({ command, form, because }) => (
              <li key={command}>
                <LispLine code={form} engine={engine} />
                <p>{because}</p>
              </li>
            ))}
          </ul>
        </section>
      )}
    </div>
  );
}

interface EventProps {
  event: EventReport;
  /** The form as it was written; undefined where it was not kept. */
  code: string | undefined;
  engine: EngineName;
}

function Event({ event, code, engine }: EventProps) {
  const { verdict, operator, place, figures, checkpoints, command } = event;
  const title = place ? `${operator ?? 'form'} at ${place.file}:${place.line}` : null;
  return (
    <li>
      <header>
        <VerdictMark verdict={verdict} />
        <span className={styles.title}>
          {title ?? <LispLine code={code ?? operator ?? 'form'} engine={engine} />}
        </span>
        <span className={styles.figures}>
          <Figures milliseconds={figures?.milliseconds ?? null} steps={figures?.steps ?? null} />
          <span title="The world’s last command after it">command {command}</span>
        </span>
      </header>
      <Admitted event={event} />
      {checkpoints && <KeyCheckpointGroups checkpoints={checkpoints} engine={engine} />}
      {figures && <Lists figures={figures} />}
    </li>
  );
}

/** Of a form that brought more than itself. */
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

/** Lists of an event's figures, in the order in which they are worth opening. */
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

/** What stands among the rules where no rule was needed. */
const TYPE_REASONING = '(:FAKE-RUNE-FOR-TYPE-SET NIL)';
