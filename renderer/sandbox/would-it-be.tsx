/** "Would this be allowed?": asked of the same rules that decide, without doing it. */
import { Ban, CircleCheck, MessageCircleQuestion } from 'lucide-react';
import { useState } from 'react';
import { Form, Input, Label, TextField } from 'react-aria-components';
import type { FileQuestion, Verdict } from '../../electron/contract/allow-list';
import type { ApprovalClass } from '../../electron/contract/approvals';
import { Button } from '../parts/button';
import { type Option, Select } from '../parts/field';
import fields from '../parts/field.module.css';
import form from '../parts/form.module.css';
import { useServices } from '../services';
import styles from './sandbox-view.module.css';

const USES: readonly Option<FileQuestion['use']>[] = [
  { value: 'read', title: 'be read' },
  { value: 'write', title: 'be written' },
];

const ANSWERS: Readonly<Record<Verdict['answer'], { word: string; icon: typeof Ban }>> = {
  allow: { word: 'Yes.', icon: CircleCheck },
  ask: { word: 'You would be asked.', icon: MessageCircleQuestion },
  deny: { word: 'No.', icon: Ban },
};

export function WouldItBe() {
  return (
    <section className={styles.part} aria-label="Would it be allowed?">
      <header>
        <h2>Would it be allowed?</h2>
      </header>
      <FileForm />
      <CallForm />
    </section>
  );
}

/** By the file tools, for the project that is shown. */
function FileForm() {
  const { actions } = useServices();
  const [path, setPath] = useState('');
  const [use, setUse] = useState<FileQuestion['use']>('read');
  const [verdict, setVerdict] = useState<Verdict | null>(null);
  return (
    <Form
      className={styles.would ?? ''}
      onSubmit={(event) => {
        event.preventDefault();
        void actions.sandbox.wouldUse({ path: path.trim(), use }).then(setVerdict);
      }}
    >
      <span>May</span>
      <TextField value={path} onChange={setPath} className={form.field ?? ''}>
        <Label className={styles.hidden ?? ''}>File that might be used</Label>
        <Input className={fields.text ?? ''} placeholder="a path, from the project or from the root" />
      </TextField>
      <Select label="Use" value={use} options={USES} onChange={setUse} />
      <Button type="submit" isDisabled={path.trim() === ''} aria-label="Ask about the file">
        Ask
      </Button>
      <Told verdict={verdict} />
    </Form>
  );
}

const CLASSES: readonly Option<ApprovalClass>[] = (
  ['evaluate', 'load', 'write', 'network', 'attach', 'kill'] as const
).map((value) => ({ value, title: value === 'kill' ? 'end a session' : value }));

function CallForm() {
  const { actions } = useServices();
  const [client, setClient] = useState('');
  const [act, setAct] = useState<ApprovalClass>('evaluate');
  const [verdict, setVerdict] = useState<Verdict | null>(null);
  return (
    <Form
      className={styles.would ?? ''}
      onSubmit={(event) => {
        event.preventDefault();
        void actions.sandbox.wouldCall({ client: client.trim() || null, class: act }).then(setVerdict);
      }}
    >
      <span>May</span>
      <TextField value={client} onChange={setClient} className={form.field ?? ''}>
        <Label className={styles.hidden ?? ''}>Client that might call</Label>
        <Input className={fields.text ?? ''} placeholder="any client" />
      </TextField>
      <Select label="Act" value={act} options={CLASSES} onChange={setAct} />
      <Button type="submit" aria-label="Ask about the call">
        Ask
      </Button>
      <Told verdict={verdict} />
    </Form>
  );
}

function Told({ verdict }: { verdict: Verdict | null }) {
  if (verdict === null) return <output className={styles.verdict} />;
  const { word, icon: Icon } = ANSWERS[verdict.answer];
  return (
    <output className={styles.verdict} data-answer={verdict.answer}>
      <Icon size={14} aria-hidden />
      <span>
        <b>{word}</b> {verdict.why}
      </span>
    </output>
  );
}
