/** The proof report of an evaluation: trust issues, and verdict and details of each event. */

import type { EngineName, FormResult } from '../../electron/contract/model';
import type {
  BuilderGoal,
  EventReport,
  ProofFigures,
  ProofReport,
  RuleAttempt,
  RuleCost,
  RuleObservation,
  Suggestion,
} from '../../electron/contract/proof';
import type { AdmittedEvent, LostCommand } from '../../electron/contract/world';
import type { Words } from '../../electron/words/words';
import { CopyButton } from '../parts/button';
import { LispBlock, LispLine } from '../parts/code';
import { Disclosure, keyed } from '../parts/view';
import { useWords } from '../services';
import { Figures, KeyCheckpointGroups, VerdictMark } from './proof-event';
import styles from './proof-report.module.css';
import { TrustIssues } from './trust-badge';

interface ProofViewProps {
  proof: ProofReport;
  forms: readonly FormResult[];
  engine: EngineName;
}

export function ProofView({ proof, forms, engine }: ProofViewProps) {
  const { events, issues, lost = [], observation, builder, certification } = proof;
  const words = useWords();
  // The code of a single event is that of the evaluation, which is shown above.
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

/** Returns the location of a loaded form, else its code, else its operator. */
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
  /** Lisp code, cut if there is no space. */
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

/** Events of a form that produced several. */
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

/** Lists in the details of an event, most useful first. */
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

/** Pseudo rule for ACL2 type reasoning that needed no rule. */
const TYPE_REASONING = '(:FAKE-RUNE-FOR-TYPE-SET NIL)';

// Rule observations of a proof: attempts of watched rules, or the costs of all rules.

interface RuleObservationViewProps {
  observation: RuleObservation;
  engine: EngineName;
}

function RuleObservationView({
  observation: { attempts, attemptCount, costs, disabled = [] },
  engine,
}: RuleObservationViewProps) {
  const { proofs } = useWords();
  return (
    <section aria-label={proofs.observed}>
      {costs.length > 0 ? (
        <Costs costs={costs} />
      ) : (
        <>
          <h3>{attemptCount === 0 ? proofs.noAttempts : proofs.attempts(attemptCount)}</h3>
          <ol className={styles.attempts}>
            {keyed(attempts).map(({ key, item }) => (
              <li key={key} style={{ paddingLeft: 12 * (item.depth - 1) }}>
                <Attempt attempt={item} engine={engine} />
              </li>
            ))}
          </ol>
          {attemptCount > attempts.length && <p>{proofs.moreAttempts(attemptCount - attempts.length)}</p>}
        </>
      )}
      {disabled.map((rule) => (
        <p key={rule}>{proofs.disabledRule(rule)}</p>
      ))}
    </section>
  );
}

function Attempt({
  attempt: { rule, target, substitution, result, failure },
  engine,
}: {
  attempt: RuleAttempt;
  engine: EngineName;
}) {
  const { proofs } = useWords();
  return (
    <>
      <p className={styles.rule}>{rule}</p>
      <LispLine code={target} engine={engine} />
      {substitution.length > 0 && (
        <p className={styles.bound}>
          {substitution.map(({ variable, term }) => `${variable} = ${term}`).join(', ')}
        </p>
      )}
      {result === null ? (
        <p>{proofs.notApplied(failure)}</p>
      ) : (
        <p>
          {proofs.applied} <LispLine code={result} engine={engine} />
        </p>
      )}
    </>
  );
}

function Costs({ costs }: { costs: readonly RuleCost[] }) {
  const { proofs } = useWords();
  return (
    <table className={styles.costs} aria-label={proofs.costs}>
      <thead>
        <tr>
          {proofs.costColumns.map((title) => (
            <th key={title} scope="col">
              {title}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {costs.map(({ rule, frames, usefulFrames, tries, usefulTries }) => (
          <tr key={rule}>
            <td>{rule}</td>
            <td>{frames}</td>
            <td>{usefulFrames}</td>
            <td>{tries}</td>
            <td>{usefulTries}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** The remaining goals of the proof builder, the current one first. */
export function BuilderGoals({ goals, engine }: { goals: readonly BuilderGoal[]; engine: EngineName }) {
  const { proofs } = useWords();
  return (
    <section aria-label={proofs.goals}>
      <h3>{goals.length === 0 ? proofs.noGoals : proofs.goalsAbout(goals.length)}</h3>
      <ol className={styles.goals}>
        {keyed(goals).map(({ key, item }) => (
          <li key={key}>
            <Goal goal={item} engine={engine} />
          </li>
        ))}
      </ol>
    </section>
  );
}

function Goal({
  goal: { name, hypotheses, conclusion, address },
  engine,
}: {
  goal: BuilderGoal;
  engine: EngineName;
}) {
  const { proofs } = useWords();
  return (
    <>
      <h4>
        <span translate="no">{name}</span>
        {address.length > 0 && <span className={styles.address}>{proofs.divedTo(address.join(' '))}</span>}
      </h4>
      {hypotheses.length > 0 && (
        <ol className={styles.hypotheses} aria-label={proofs.hypotheses}>
          {keyed(hypotheses).map(({ key, item }) => (
            <li key={key}>
              <LispBlock code={item} engine={engine} />
            </li>
          ))}
        </ol>
      )}
      <p className={styles.toProve}>{proofs.toProve}</p>
      <LispBlock code={conclusion} engine={engine} />
    </>
  );
}
