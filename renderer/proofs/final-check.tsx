/** The report of a final check: theorems, definitions, sources, and how to reproduce it. */
import { Download, ShieldAlert, ShieldCheck } from 'lucide-react';
import type { EngineName } from '../../electron/contract/model';
import type { CheckedFile, FinalCheck } from '../../electron/contract/proof';
import type { Words } from '../../electron/words/words';
import { Button, CopyButton } from '../parts/button';
import { LispBlock } from '../parts/code';
import { Disclosure, keyed } from '../parts/view';

import { useServices, useWords } from '../services';
import styles from './final-check.module.css';
import { TrustIssues } from './trust-badge';

interface FinalCheckProps {
  report: FinalCheck;
  /** Id of the evaluation that ran the check. */
  evaluation: number;
  engine: EngineName;
}

export function FinalCheckView({ report, evaluation, engine }: FinalCheckProps) {
  const words = useWords();
  const { actions } = useServices();
  const { issues, theorems, theoremCount, functions, files, steps, notes } = report;
  const own = files.filter(({ role }) => role !== 'system');
  const system = files.filter(({ role }) => role === 'system');
  return (
    <section className={styles.check} aria-label={words.proofs.finalCheck}>
      <header className={styles.head}>
        <Verdict report={report} />
        <Button icon={Download} onPress={() => void actions.saveCheck(evaluation)}>
          {words.proofs.saveReport}
        </Button>
      </header>
      {issues.length > 0 && <TrustIssues issues={issues} />}
      <Formulas title={words.proofs.theorems} engine={engine}>
        {theorems.map(({ name, formula }) => ({ name, text: formula }))}
      </Formulas>
      {theoremCount > theorems.length && <p>{words.proofs.moreTheorems(theoremCount - theorems.length)}</p>}
      {functions.length > 0 && (
        <Disclosure title={words.proofs.functionsOf(report.functionCount)}>
          <Formulas title={words.proofs.functions} engine={engine}>
            {functions.map(({ name, constrained, axiom }) => ({
              name: constrained ? words.proofs.constrained(name) : name,
              text: axiom ?? words.proofs.noFormula,
            }))}
          </Formulas>
        </Disclosure>
      )}
      <Disclosure title={words.proofs.sources(own.length)}>
        <Files files={own} />
      </Disclosure>
      {system.length > 0 && (
        <Disclosure title={words.proofs.systemBooks(system.length)}>
          <Files files={system} />
        </Disclosure>
      )}
      <Disclosure title={words.proofs.repeat}>
        <Steps steps={steps} engine={engine} />
      </Disclosure>
      {notes.length > 0 && (
        <ul className={styles.notes} aria-label={words.proofs.notes}>
          {keyed(notes).map(({ key, item }) => (
            <li key={key}>{item}</li>
          ))}
        </ul>
      )}
    </section>
  );
}

function Verdict({ report }: { report: FinalCheck }) {
  const words = useWords();
  const { issues, acl2, lisp } = report;
  const clean = issues.length === 0;
  const Icon = clean ? ShieldCheck : ShieldAlert;

  return (
    <p className={styles.verdict} data-clean={clean || undefined}>
      <Icon size={15} aria-hidden />
      <span>
        <strong>{holdsText(report, words)}</strong>
        {clean ? words.proofs.rebuiltClean : words.proofs.rebuilt}
        <span className={styles.host}>{words.proofs.host(acl2, lisp)}</span>
      </span>
    </p>
  );
}

function holdsText({ claim, theoremCount }: FinalCheck, { proofs }: Words): string {
  if (claim !== null) return proofs.holds(claim, false);
  const everything = theoremCount === 0 ? proofs.everyDefinition : proofs.theoremCount(theoremCount);
  return proofs.holds(everything, theoremCount > 1);
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

/** Files with full hashes, for comparison. */
function Files({ files }: { files: readonly CheckedFile[] }) {
  const words = useWords();
  return (
    <ul className={styles.files} aria-label={words.proofs.filesBySha}>
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
  const words = useWords();
  const text = steps.join('\n');
  return (
    <div className={styles.steps}>
      <p>{words.proofs.repeatAbout}</p>
      <div className={styles.copied}>
        <LispBlock code={text} engine={engine} />
        <CopyButton text={text} what={words.copying.steps} />
      </div>
    </div>
  );
}
