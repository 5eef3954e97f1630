/** The entry as text, for a person who would rather edit the file by hand. */
import type { ConnectView } from '../../electron/contract/connections';
import { Button } from '../parts/button';
import { CopyButton } from '../parts/copy-button';
import { Dialog } from '../parts/dialog';
import form from '../parts/form.module.css';
import { ScrollArea } from '../parts/scroll-area';
import { Sentence } from '../parts/sentence';
import { useWords } from '../services';

export function SnippetDialog({ program, onClose }: { program: ConnectView; onClose: () => void }) {
  const words = useWords();
  const buttons = (
    <>
      <CopyButton text={program.snippet} what={words.copying.snippet} wide />
      <Button onPress={onClose}>{words.clients.done}</Button>
    </>
  );
  return (
    <Dialog title={words.clients.snippetFor(program.title)} wide onClose={onClose} buttons={buttons}>
      <p className={form.hint}>
        {program.file !== null && <Sentence of={words.clients.addTo(<code>{program.file}</code>)} />}
        <span lang="en">{program.afterwards}</span>
      </p>
      <ScrollArea label={words.clients.snippet}>
        <pre>{program.snippet}</pre>
      </ScrollArea>
      {program.command !== undefined && (
        <>
          <p className={form.hint}>{words.clients.orCommand}</p>
          <ScrollArea label={words.clients.command}>
            <pre>{program.command}</pre>
          </ScrollArea>
        </>
      )}
    </Dialog>
  );
}
