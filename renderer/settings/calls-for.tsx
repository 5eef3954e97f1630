/** For what a notification calls a person. */
import type { CallsFor } from '../../electron/contract/settings';
import { Checkbox } from '../parts/checkbox';
import { useServices, useWords } from '../services';

const KINDS: readonly (keyof CallsFor)[] = ['approvals', 'heldErrors', 'finishedJobs', 'droppedClients'];

export function CallsForChoice({ callsFor }: { callsFor: CallsFor }) {
  const words = useWords();
  const { actions } = useServices();
  return KINDS.map((kind) => (
    <Checkbox
      key={kind}
      label={words.settings.callsFor[kind]}
      checked={callsFor[kind]}
      onChange={(on) => void actions.changeSettings({ callsFor: { ...callsFor, [kind]: on } })}
    />
  ));
}
