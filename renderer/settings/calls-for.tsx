/** For what a notification calls a person. */
import type { CallsFor } from '../../electron/contract/settings';
import { Checkbox } from '../parts/checkbox';
import { useServices } from '../services';

const KINDS: readonly { kind: keyof CallsFor; label: string }[] = [
  { kind: 'approvals', label: 'When an agent waits for your word' },
  { kind: 'heldErrors', label: 'When an error is held' },
  { kind: 'finishedJobs', label: 'When what takes longer than the soft limit has finished' },
  { kind: 'droppedClients', label: 'When a program drops our entry from its configuration' },
];

export function CallsForChoice({ callsFor }: { callsFor: CallsFor }) {
  const { actions } = useServices();
  return KINDS.map(({ kind, label }) => (
    <Checkbox
      key={kind}
      label={label}
      checked={callsFor[kind]}
      onChange={(on) => void actions.changeSettings({ callsFor: { ...callsFor, [kind]: on } })}
    />
  ));
}
