/** Checks whether an access would be allowed, by the rules that decide, without doing it. */

import { Ban, CircleCheck, MessageCircleQuestion } from 'lucide-react';
import { useState } from 'react';
import { Form, Input, Label, TextField } from 'react-aria-components';
import type { ApprovalClass } from '../../electron/contract/approvals';
import type { AccessVerdict, FileAccessQuery } from '../../electron/contract/sandbox';
import { Button } from '../parts/button';
import { Select } from '../parts/field';
import fields from '../parts/field.module.css';
import form from '../parts/form.module.css';
import { useServices, useWords } from '../services';
import styles from './sandbox-view.module.css';

const USES: readonly FileAccessQuery['use'][] = ['read', 'write'];

const ICONS: Readonly<Record<AccessVerdict['answer'], typeof Ban>> = {
  allow: CircleCheck,
  ask: MessageCircleQuestion,
  deny: Ban,
};

export function WouldItBe() {
  const words = useWords();
  return (
    <section className={styles.part} aria-label={words.sandbox.would}>
      <header>
        <h2>{words.sandbox.would}</h2>
      </header>
      <FileForm />
      <CallForm />
    </section>
  );
}

/** Checks the file tools for the current project. */
function FileForm() {
  const words = useWords();
  const { actions } = useServices();
  const [path, setPath] = useState('');
  const [use, setUse] = useState<FileAccessQuery['use']>('read');
  const [verdict, setVerdict] = useState<AccessVerdict | null>(null);
  return (
    <Form
      className={styles.would ?? ''}
      onSubmit={(event) => {
        event.preventDefault();
        void actions.harbor.sandbox
          .wouldUse({ path: path.trim(), use })
          .then((verdict) => setVerdict(verdict ?? null));
      }}
    >
      <span>{words.sandbox.may}</span>
      <TextField value={path} onChange={setPath} className={form.field ?? ''}>
        <Label className={styles.hidden ?? ''}>{words.sandbox.mightBeUsed}</Label>
        <Input className={fields.text ?? ''} placeholder={words.sandbox.pathHint} />
      </TextField>
      <Select
        label={words.sandbox.use}
        value={use}
        options={USES.map((value) => ({ value, title: words.sandbox.uses[value] }))}
        onChange={setUse}
      />
      <Button type="submit" isDisabled={path.trim() === ''} aria-label={words.sandbox.askFile}>
        {words.sandbox.ask}
      </Button>
      <Answer verdict={verdict} />
    </Form>
  );
}

const CLASSES: readonly ApprovalClass[] = ['evaluate', 'load', 'write', 'network', 'attach', 'kill'];

function CallForm() {
  const words = useWords();
  const { actions } = useServices();
  const [client, setClient] = useState('');
  const [act, setAct] = useState<ApprovalClass>('evaluate');
  const [verdict, setVerdict] = useState<AccessVerdict | null>(null);
  const whyOf = (rule: string | null) =>
    rule === null ? words.sandbox.allPaused : words.sandbox.byRule(rule);
  return (
    <Form
      className={styles.would ?? ''}
      onSubmit={(event) => {
        event.preventDefault();
        void actions.harbor.sandbox
          .wouldCall({ client: client.trim() || null, class: act })
          .then((found) => setVerdict(found ? { answer: found.answer, why: whyOf(found.rule) } : null));
      }}
    >
      <span>{words.sandbox.may}</span>
      <TextField value={client} onChange={setClient} className={form.field ?? ''}>
        <Label className={styles.hidden ?? ''}>{words.sandbox.mightCall}</Label>
        <Input className={fields.text ?? ''} placeholder={words.sandbox.anyClient} />
      </TextField>
      <Select
        label={words.sandbox.act}
        value={act}
        options={CLASSES.map((value) => ({ value, title: words.sandbox.acts[value].verb }))}
        onChange={setAct}
      />
      <Button type="submit" aria-label={words.sandbox.askCall}>
        {words.sandbox.ask}
      </Button>
      <Answer verdict={verdict} />
    </Form>
  );
}

function Answer({ verdict }: { verdict: AccessVerdict | null }) {
  const words = useWords();
  if (verdict === null) return <output className={styles.verdict} />;
  const Icon = ICONS[verdict.answer];
  return (
    <output className={styles.verdict} data-answer={verdict.answer}>
      <Icon size={14} aria-hidden />
      <span>
        <b>{words.sandbox.verdicts[verdict.answer]}</b> {verdict.why}
      </span>
    </output>
  );
}
