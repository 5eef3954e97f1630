/** The entries of the allow-list, each with its power, its reason and who added it. */
import { X } from 'lucide-react';
import { VisuallyHidden } from 'react-aria-components';
import type { SandboxView } from '../../electron/contract/allow-list';
import { IconButton } from '../parts/button';
import { shortenPath } from '../parts/format';
import { Sentence } from '../parts/sentence';
import { RelativeTime, useNow } from '../parts/time';
import { useServices, useWords } from '../services';
import styles from './sandbox-view.module.css';

type Row = SandboxView['rows'][number];

export function AllowTable({ rows }: { rows: readonly Row[] }) {
  const words = useWords();
  const now = useNow(60_000);
  return (
    <table className={styles.table} aria-label={words.sandbox.allowList}>
      <thead>
        <tr>
          <th scope="col">{words.sandbox.folder}</th>
          <th scope="col">{words.sandbox.power}</th>
          <th scope="col">{words.sandbox.reason}</th>
          <th scope="col">{words.sandbox.added}</th>
          <th scope="col">
            <VisuallyHidden>{words.sandbox.remove}</VisuallyHidden>
          </th>
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <Entry key={`${row.folder} ${row.project} ${row.isDefault}`} row={row} now={now} />
        ))}
      </tbody>
    </table>
  );
}

function Entry({ row, now }: { row: Row; now: number }) {
  const words = useWords();
  const { actions } = useServices();
  const { folder, power, reason, isDefault, problem } = row;
  const isProject = isDefault && power === 'write';
  return (
    <tr>
      <td>
        <code title={folder}>{shortenPath(folder, 48)}</code>
        {problem !== null && <p className={styles.problem}>{words.sandbox.notInForce(problem)}</p>}
      </td>
      <td>{words.sandbox.powers[power]}</td>
      <td>
        {reason === '' ? (
          <span className={styles.quiet}>{words.sandbox.noReason}</span>
        ) : (
          <Reason text={reason} isOurs={isDefault} />
        )}
        {row.project !== null && !isDefault && (
          <span className={styles.quiet}>{words.sandbox.thisProject}</span>
        )}
      </td>
      <td className={styles.quiet}>{isDefault ? words.sandbox.byDefault : <Added row={row} now={now} />}</td>
      <td>
        {!isProject && (
          <IconButton
            icon={X}
            label={words.common.remove(folder)}
            onPress={() => void actions.sandbox.removeAllowed(row)}
          />
        )}
      </td>
    </tr>
  );
}

/** Those of the defaults are main's, in English; others in the language of who gave them. */
function Reason({ text, isOurs }: { text: string; isOurs: boolean }) {
  return <span {...(isOurs && { lang: 'en' })}>{text}</span>;
}

function Added({ row: { addedBy, addedAt }, now }: { row: Row; now: number }) {
  const words = useWords();
  const by = addedBy === 'window' ? words.sandbox.here : words.sandbox.inPlace(addedBy);
  if (addedAt === null) return by;
  return <Sentence of={words.sandbox.addedBy(<RelativeTime at={addedAt} now={now} />, by)} />;
}
