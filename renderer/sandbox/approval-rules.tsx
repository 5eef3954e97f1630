/** What clients may do without asking: one rule a class for every client, and the rules for single clients. */
import { X } from 'lucide-react';
import type { ApprovalAnswer, ApprovalClass, ApprovalRule } from '../../electron/contract/approvals';
import { useSettings } from '../bridge-queries';
import { IconButton } from '../parts/button';
import { type Option, Select } from '../parts/field';
import { useServices } from '../services';
import styles from './sandbox-view.module.css';

interface ClassShape {
  act: ApprovalClass;
  title: string;
  about: string;
  /** What holds where there is no rule. */
  usual: ApprovalAnswer;
}

const CLASSES: readonly ClassShape[] = [
  {
    act: 'evaluate',
    title: 'Evaluate',
    about: 'code in a session, inspecting with code, opening sessions',
    usual: 'allow',
  },
  {
    act: 'load',
    title: 'Load',
    about: 'systems and files, and running tests; unless a rule says otherwise, as Evaluate',
    usual: 'allow',
  },
  { act: 'write', title: 'Write', about: 'files by the file tools', usual: 'allow' },
  { act: 'network', title: 'Network', about: 'for a session whose project has none', usual: 'ask' },
  { act: 'attach', title: 'Attach', about: 'to servers and containers that nobody named', usual: 'ask' },
  { act: 'kill', title: 'End', about: 'a session of its own', usual: 'allow' },
];

const ANSWERS: readonly Option<ApprovalAnswer>[] = [
  { value: 'allow', title: 'Allow' },
  { value: 'ask', title: 'Ask' },
  { value: 'deny', title: 'Deny' },
];

export function ApprovalRules() {
  const { data } = useSettings();
  if (!data) return null;
  return <Rules rules={data.approvals} />;
}

function Rules({ rules }: { rules: readonly ApprovalRule[] }) {
  const { actions } = useServices();
  const change = (next: ApprovalRule[]) => void actions.changeSettings({ approvals: next });
  const forAll = (act: ApprovalClass) => rules.findLast((rule) => rule.class === act && rule.client === null);
  const own = rules.filter(({ client }) => client !== null);
  return (
    <section className={styles.part}>
      <header>
        <h2>Approvals</h2>
      </header>
      <p className={styles.about}>
        What is asked about waits for your answer here, and the client waits with it. A rule for one client
        comes before one for all.
      </p>
      <ul className={styles.rules} aria-label="Approvals for every client">
        {CLASSES.map(({ act, title, about, usual }) => (
          <li key={act}>
            <h3>{title}</h3>
            <p>{about}</p>
            <Select
              label={`${title}: every client`}
              value={forAll(act)?.answer ?? usual}
              options={ANSWERS}
              onChange={(answer) => {
                const others = rules.filter((rule) => rule.class !== act || rule.client !== null);
                change([...others, { client: null, class: act, answer }]);
              }}
            />
          </li>
        ))}
      </ul>
      {own.length > 0 && (
        <ul className={styles.rules} aria-label="Approvals for one client">
          {own.map((rule) => (
            <li key={`${rule.client} ${rule.class} ${rule.answer}`}>
              <h3>{rule.client}</h3>
              <p>
                {rule.class}: {rule.answer}
              </p>
              <IconButton
                icon={X}
                label={`Remove the rule for ${rule.client}`}
                onPress={() => change(rules.filter((other) => other !== rule))}
              />
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
