/** The button that writes what a session has defined into a source file of a person's choice. */
import { FileDown } from 'lucide-react';
import { Button } from '../parts/button';
import { useServices } from '../services';

export function ExportSession({ session, isDisabled = false }: { session: string; isDisabled?: boolean }) {
  const { actions } = useServices();
  return (
    <Button icon={FileDown} isDisabled={isDisabled} onPress={() => void actions.exportSession(session)}>
      Export…
    </Button>
  );
}
