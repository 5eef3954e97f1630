/** The harbor's own log: read here, or found in its folder. */
import { useQuery } from '@tanstack/react-query';
import { FolderOpen, ScrollText } from 'lucide-react';
import { useState } from 'react';
import { call } from '../bridge';
import { Button } from '../parts/button';
import { Dialog } from '../parts/dialog';
import { Problem } from '../parts/feedback';
import { useServices } from '../services';
import styles from './log.module.css';
import { LogList } from './log-list';

export function LogButtons() {
  const { actions } = useServices();
  const [shown, setShown] = useState(false);
  return (
    <div className={styles.buttons}>
      <Button icon={ScrollText} onPress={() => setShown(true)}>
        Show log…
      </Button>
      <Button icon={FolderOpen} onPress={() => void actions.openLogFolder()}>
        Open folder
      </Button>
      {shown && <LogDialog onClose={() => setShown(false)} />}
    </div>
  );
}

function LogDialog({ onClose }: { onClose: () => void }) {
  const { data, error } = useQuery({
    queryKey: ['log'],
    queryFn: () => call('log:read', null),
    gcTime: 0,
    staleTime: 0,
    refetchInterval: 2_000,
  });
  const buttons = (
    <Button onPress={onClose} autoFocus>
      Close
    </Button>
  );
  return (
    <Dialog title="Log" wide onClose={onClose} buttons={buttons}>
      {error && <Problem>{error.message}</Problem>}
      {data && (
        <div className={styles.inDialog}>
          <LogList lines={data.lines} label="the log" />
          <p className={styles.none}>
            {data.whole ? 'All of it is in' : 'The newest lines; all are in'} {data.folder}.
          </p>
        </div>
      )}
    </Dialog>
  );
}
