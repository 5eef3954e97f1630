/** The report of a final check: what holds, of what it speaks, which sources it was rebuilt from, and how to repeat it. */
import { Download, ShieldAlert, ShieldCheck } from 'lucide-react';
import type { CheckedFile, FinalCheck } from '../../electron/contract/final-check';
import type { EngineName } from '../../electron/contract/model';
import { Button } from '../parts/button';
import { CopyButton } from '../parts/copy-button';
import { count } from '../parts/format';
import { keyed } from '../parts/growing-list';
import { LispBlock } from '../parts/lisp';
import { Disclosure } from '../parts/view';
import { useServices } from '../services';
import styles from './final-check.module.css';
import { TrustIssues } from './trust-badge';

interface FinalCheckProps {
  report: FinalCheck;
  /** The number of the evaluation that it is the report of. */
  evaluation: number;
  engine: EngineName;
}

export function FinalCheckView({ report, evaluation, engine }: FinalCheckProps) {
  const { actions } = useServices();
  const { issues, theorems, theoremCount, functions, files, steps, notes } = report;
  const own = files.filter(({ role }) => role !== 'system');
  const system = files.filter(({ role }) => role === 'system');
  return (
    <section className={styles.check} aria-label="Final check">
      <header className={styles.head}>
        <Verdict report={report} />
        <Button icon={Download} onPress={() => void actions.saveCheck(evaluation)}>
          Save report…
        </Button>
      </header>
      {issues.length > 0 && <TrustIssues issues={issues} />}
      <Formulas title="Theorems" engine={engine}>
        {theorems.map(({ name, formula }) => ({ name, text: formula }))}
      </Formulas>
      {theoremCount > theorems.length && <p>and {count(theoremCount - theorems.length, 'more theorem')}</p>}
      {functions.length > 0 && (
        <Disclosure title={`${count(report.functionCount, 'function')} that they are about`}>
          <Formulas title="Functions" engine={engine}>
            {functions.map(({ name, constrained, axiom }) => ({
              name: constrained ? `${name}, constrained` : name,
              text: axiom ?? '; ACL2 cannot say it as a formula',
            }))}
          </Formulas>
        </Disclosure>
      )}
      <Disclosure title={count(own.length, 'source')}>
        <Files files={own} />
      </Disclosure>
      {system.length > 0 && (
        <Disclosure title={`${count(system.length, 'book')} of the system`}>
          <Files files={system} />
        </Disclosure>
      )}
      <Disclosure title="How to repeat it">
        <Steps steps={steps} engine={engine} />
      </Disclosure>
      {notes.length > 0 && (
        <ul className={styles.notes} aria-label="Notes">
          {keyed(notes).map(({ key, item }) => (
            <li key={key}>{item}</li>
          ))}
        </ul>
      )}
    </section>
  );
}

function Verdict({ report: { claim, theoremCount, issues, acl2, lisp } }: { report: FinalCheck }) {
  const clean = issues.length === 0;
  const Icon = clean ? ShieldCheck : ShieldAlert;
  const everything = theoremCount === 0 ? 'Every definition' : count(theoremCount, 'theorem');
  const what = claim ?? everything;
  const verb = claim === null && theoremCount > 1 ? 'hold' : 'holds';
  return (
    <p className={styles.verdict} data-clean={clean || undefined}>
      <Icon size={15} aria-hidden />
      <span>
        <strong>
          {what} {verb}
        </strong>
        , rebuilt from sources. {clean ? 'Nothing but ACL2 is trusted.' : 'More than ACL2 is trusted:'}{' '}
        <span className={styles.host}>
          {acl2} on {lisp}
        </span>
      </span>
    </p>
  );
}

interface Formula {
  name: string;
  text: string;
}

function Formulas({ title, engine, children }: { title: string; engine: EngineName; children: Formula[] }) {
  return (
    <ul className={styles.formulas} aria-label={title}>
      {keyed(children).map(({ key, item: { name, text } }) => (
        <li key={key}>
          <p>{name}</p>
          <LispBlock code={text} engine={engine} />
        </li>
      ))}
    </ul>
  );
}

/** With their hashes, which are told in full: they are there to be compared. */
function Files({ files }: { files: readonly CheckedFile[] }) {
  return (
    <ul className={styles.files} aria-label="Files by their SHA-256">
      {files.map(({ file, sha256, role }) => (
        <li key={file}>
          <p>
            <span>{file}</span>
            {role !== 'book' && role !== 'system' && <span className={styles.role}>{role}</span>}
          </p>
          <code>{sha256}</code>
        </li>
      ))}
    </ul>
  );
}

function Steps({ steps, engine }: { steps: readonly string[]; engine: EngineName }) {
  const text = steps.join('\n');
  return (
    <div className={styles.steps}>
      <p>
        Put the sources, under these names, into an empty folder, and start ACL2 there for each of these
        lines.
      </p>
      <div className={styles.copied}>
        <LispBlock code={text} engine={engine} />
        <CopyButton text={text} what="steps" />
      </div>
    </div>
  );
}
