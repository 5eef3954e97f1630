/** The entries of the allow-list, each with its power, its reason and who added it. */
import { X } from 'lucide-react';
import { VisuallyHidden } from 'react-aria-components';
import type { AllowPower, SandboxView } from '../../electron/contract/allow-list';
import { IconButton } from '../parts/button';
import { shortenPath } from '../parts/format';
import { RelativeTime, useNow } from '../parts/time';
import { useServices } from '../services';
import styles from './sandbox-view.module.css';

type Row = SandboxView['rows'][number];

const POWERS: Readonly<Record<AllowPower, string>> = { write: 'Write', read: 'Read', library: 'Library' };

export function AllowTable({ rows }: { rows: readonly Row[] }) {
  const now = useNow(60_000);
  return (
    <table className={styles.table} aria-label="Allow-list">
      <thead>
        <tr>
          <th scope="col">Folder</th>
          <th scope="col">Power</th>
          <th scope="col">Reason</th>
          <th scope="col">Added</th>
          <th scope="col">
            <VisuallyHidden>Remove</VisuallyHidden>
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
  const { actions } = useServices();
  const { folder, power, reason, isDefault, problem } = row;
  const isProject = isDefault && power === 'write';
  return (
    <tr>
      <td>
        <code title={folder}>{shortenPath(folder, 48)}</code>
        {problem !== null && <p className={styles.problem}>Not in force: {problem}</p>}
      </td>
      <td>{POWERS[power]}</td>
      <td>
        {reason || <span className={styles.quiet}>none given</span>}
        {row.project !== null && !isDefault && <span className={styles.quiet}> · this project</span>}
      </td>
      <td className={styles.quiet}>{isDefault ? 'by default' : <Added row={row} now={now} />}</td>
      <td>
        {!isProject && (
          <IconButton
            icon={X}
            label={`Remove ${folder}`}
            onPress={() => void actions.sandbox.removeAllowed(row)}
          />
        )}
      </td>
    </tr>
  );
}

function Added({ row: { addedBy, addedAt }, now }: { row: Row; now: number }) {
  const by = addedBy === 'window' ? 'here' : `in ${addedBy}`;
  if (addedAt === null) return by;
  return (
    <>
      <RelativeTime at={addedAt} now={now} />, {by}
    </>
  );
}
