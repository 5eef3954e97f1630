/** The harbor's own log: read here, or found in its folder. */
import { useQuery } from '@tanstack/react-query';
import { FolderOpen, ScrollText } from 'lucide-react';
import { useState } from 'react';
import { call } from '../bridge';
import { Button } from '../parts/button';
import { Dialog } from '../parts/dialog';
import { Problem } from '../parts/feedback';
import { useServices, useWords } from '../services';
import styles from './log.module.css';
import { LogList } from './log-list';

export function LogButtons() {
  const words = useWords();
  const { actions } = useServices();
  const [shown, setShown] = useState(false);
  return (
    <div className={styles.buttons}>
      <Button icon={ScrollText} onPress={() => setShown(true)}>
        {words.log.show}
      </Button>
      <Button icon={FolderOpen} onPress={() => void actions.openLogFolder()}>
        {words.log.openFolder}
      </Button>
      {shown && <LogDialog onClose={() => setShown(false)} />}
    </div>
  );
}

function LogDialog({ onClose }: { onClose: () => void }) {
  const words = useWords();
  const { data, error } = useQuery({
    queryKey: ['log'],
    queryFn: () => call('log:read', null),
    gcTime: 0,
    staleTime: 0,
    refetchInterval: 2_000,
  });
  const buttons = (
    <Button onPress={onClose} autoFocus>
      {words.common.close}
    </Button>
  );
  return (
    <Dialog title={words.log.title} wide onClose={onClose} buttons={buttons}>
      {error && <Problem>{error.message}</Problem>}
      {data && (
        <div className={styles.inDialog}>
          <LogList lines={data.lines} label={words.log.theLog} />
          <p className={styles.none}>
            {data.whole ? words.log.whole(data.folder) : words.log.newest(data.folder)}
          </p>
        </div>
      )}
    </Dialog>
  );
}
