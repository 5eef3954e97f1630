/** Shows what connecting or disconnecting would change in a program's file, and does it when told to. */
import { useState } from 'react';
import type { ConnectAsked, ConnectView } from '../../electron/contract/connections';
import { useConnectPreview } from '../bridge-queries';
import { Button } from '../parts/button';
import { Dialog } from '../parts/dialog';
import { Diff } from '../parts/diff';
import { Problem } from '../parts/feedback';
import form from '../parts/form.module.css';
import { useServices, useWords } from '../services';
import styles from './clients-view.module.css';
import { ConnectChoices } from './connect-choices';

interface ConnectDialogProps {
  program: ConnectView;
  action: 'add' | 'remove';
  onClose: () => void;
}

export function ConnectDialog({ program, action, onClose }: ConnectDialogProps) {
  const words = useWords();
  const { actions } = useServices();
  const [asked, setAsked] = useState<ConnectAsked>({});
  const { data, error, isPlaceholderData } = useConnectPreview(program.name, action, asked);
  const [writing, setWriting] = useState(false);

  const changes =
    data !== undefined && !error && !isPlaceholderData && (data.diff !== '' || asked.choice !== undefined);
  const write = async () => {
    setWriting(true);
    const written = await actions.clients.changeConnection(program.name, action, asked);
    setWriting(false);
    if (written) onClose();
  };
  const buttons = (
    <>
      <Button onPress={onClose}>{words.common.cancel}</Button>
      <Button kind="primary" isDisabled={!changes || writing} onPress={() => void write()}>
        {action === 'add' ? words.clients.connect : words.clients.disconnect}
      </Button>
    </>
  );
  return (
    <Dialog
      title={(action === 'add' ? words.clients.connectOf : words.clients.disconnectOf)(program.title)}
      wide
      onClose={onClose}
      buttons={buttons}
    >
      {action === 'add' && <ConnectChoices program={program} asked={asked} onAsked={setAsked} />}
      <p className={styles.file}>{data?.file ?? program.file}</p>
      {error && <Problem>{error.message}</Problem>}
      {data &&
        (data.diff === '' ? (
          <p>{words.clients.noChange}</p>
        ) : (
          <Diff diff={data.diff} label={words.clients.changeDiff} />
        ))}
      <p className={form.hint} lang="en">
        {program.afterwards}
      </p>
      <p className={form.hint} lang="en">
        {program.verified}
      </p>
    </Dialog>
  );
}
