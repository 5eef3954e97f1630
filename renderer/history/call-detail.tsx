/** One call of a tool that evaluated nothing, with all that is kept of it. */
import { X } from 'lucide-react';
import type { CallRecord } from '../../electron/contract/history';
import { useCall } from '../bridge-queries';
import { IconButton } from '../parts/button';
import { CopyButton } from '../parts/copy-button';
import { Problem } from '../parts/feedback';
import { ScrollArea } from '../parts/scroll-area';
import { OutcomeMark } from '../parts/state-mark';
import { Duration } from '../parts/time';
import { useCommand, useWords } from '../services';
import { argumentTexts } from './call-arguments';
import { CopyMenu } from './copy-menu';
import { Part } from './detail-part';
import styles from './evaluation-detail.module.css';
import { mcpCall } from './mcp-call';

export function CallDetail({ id }: { id: number }) {
  const words = useWords();
  const { data, error } = useCall(id);
  const close = useCommand('detail:close');
  return (
    <section className={styles.detail} aria-label={words.entry.callOf(id)}>
      <header className={styles.head}>
        <div className={styles.about}>
          <h2>{data?.tool ?? words.entry.call}</h2>
          {data && <OutcomeMark outcome={data.outcome} />}
          <span className={styles.took}>
            {data && data.durationMs !== null && <Duration ms={data.durationMs} since={data.startedAt} />}
          </span>
        </div>
        <div className={styles.tools}>
          {data && <CopyMenu call={mcpCall(data.tool, data.arguments)} />}
          <IconButton icon={X} label={close.title} shortcut={close.shortcut} onPress={close.run} />
        </div>
      </header>
      {error && <Problem>{error.message}</Problem>}
      {data && <Body record={data} />}
    </section>
  );
}

function Body({ record }: { record: CallRecord }) {
  const words = useWords();
  const { client, endpoint, startedAt, session, answer, errorCode } = record;
  return (
    <ScrollArea label={words.entry.details} className={styles.body}>
      <dl className={styles.facts}>
        <dt>{words.entry.askedBy}</dt>
        <dd>
          {words.common.client(client)} <span className={styles.aside}>({endpoint})</span>
        </dd>
        <dt>{words.entry.started}</dt>
        <dd>{words.formats.exact(startedAt)}</dd>
        {session !== null && (
          <>
            <dt>{words.entry.session}</dt>
            <dd>{session}</dd>
          </>
        )}
        {errorCode !== null && (
          <>
            <dt>{words.entry.code}</dt>
            <dd>
              <code>{errorCode}</code>
            </dd>
          </>
        )}
      </dl>
      {argumentTexts(record.arguments).map(({ name, text }) => (
        <Part key={name} title={name} tool={<CopyButton text={text} what={name} />}>
          <pre className={styles.text}>{text}</pre>
        </Part>
      ))}
      {answer !== null && (
        <Part
          title={errorCode === null ? words.entry.answer : words.entry.reason}
          tool={<CopyButton text={answer} what={words.copying.answer} />}
        >
          <pre className={styles.text}>{answer}</pre>
        </Part>
      )}
    </ScrollArea>
  );
}
