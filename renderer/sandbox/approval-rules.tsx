/** What clients may do without asking: one rule a class for every client, and the rules for single clients. */
import { X } from 'lucide-react';
import type { ApprovalAnswer, ApprovalClass, ApprovalRule } from '../../electron/contract/approvals';
import { useSettings } from '../bridge-queries';
import { IconButton } from '../parts/button';
import { Select } from '../parts/field';
import { useServices, useWords } from '../services';
import styles from './sandbox-view.module.css';

/** `usual` is what holds where there is no rule. */
const CLASSES: readonly { act: ApprovalClass; usual: ApprovalAnswer }[] = [
  { act: 'evaluate', usual: 'allow' },
  { act: 'load', usual: 'allow' },
  { act: 'write', usual: 'allow' },
  { act: 'network', usual: 'ask' },
  { act: 'attach', usual: 'ask' },
  { act: 'kill', usual: 'allow' },
];

const ANSWERS: readonly ApprovalAnswer[] = ['allow', 'ask', 'deny'];

export function ApprovalRules() {
  const { data } = useSettings();
  if (!data) return null;
  return <Rules rules={data.approvals} />;
}

function Rules({ rules }: { rules: readonly ApprovalRule[] }) {
  const words = useWords();
  const { actions } = useServices();
  const change = (next: ApprovalRule[]) => void actions.changeSettings({ approvals: next });
  const forAll = (act: ApprovalClass) => rules.findLast((rule) => rule.class === act && rule.client === null);
  const own = rules.filter(({ client }) => client !== null);
  return (
    <section className={styles.part}>
      <header>
        <h2>{words.sandbox.approvals}</h2>
      </header>
      <p className={styles.about}>{words.sandbox.approvalsAbout}</p>
      <ul className={styles.rules} aria-label={words.sandbox.approvalsForAll}>
        {CLASSES.map(({ act, usual }) => (
          <li key={act}>
            <h3>{words.sandbox.acts[act].title}</h3> <p>{words.sandbox.acts[act].about}</p>
            <Select
              label={words.sandbox.everyClient(words.sandbox.acts[act].title)}
              value={forAll(act)?.answer ?? usual}
              options={ANSWERS.map((value) => ({ value, title: words.sandbox.answers[value] }))}
              onChange={(answer) => {
                const others = rules.filter((rule) => rule.class !== act || rule.client !== null);
                change([...others, { client: null, class: act, answer }]);
              }}
            />
          </li>
        ))}
      </ul>
      {own.length > 0 && (
        <ul className={styles.rules} aria-label={words.sandbox.approvalsForOne}>
          {own.map((rule) => (
            <li key={`${rule.client} ${rule.class} ${rule.answer}`}>
              <h3>{rule.client}</h3>
              <p>{words.sandbox.rule(rule.class, rule.answer)}</p>
              <IconButton
                icon={X}
                label={words.sandbox.removeRule(rule.client ?? '')}
                onPress={() => change(rules.filter((other) => other !== rule))}
              />
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
