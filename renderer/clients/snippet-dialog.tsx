/** The entry as text, for a person who would rather edit the file by hand. */
import type { ConnectView } from '../../electron/contract/connections';
import { Button } from '../parts/button';
import { CopyButton } from '../parts/copy-button';
import { Dialog } from '../parts/dialog';
import form from '../parts/form.module.css';
import { ScrollArea } from '../parts/scroll-area';

export function SnippetDialog({ program, onClose }: { program: ConnectView; onClose: () => void }) {
  const buttons = (
    <>
      <CopyButton text={program.snippet} what="snippet" wide />
      <Button onPress={onClose}>Done</Button>
    </>
  );
  return (
    <Dialog title={`Snippet for ${program.title}`} wide onClose={onClose} buttons={buttons}>
      <p className={form.hint}>
        {program.file !== null && (
          <>
            Add this to <code>{program.file}</code>.{' '}
          </>
        )}
        {program.afterwards}
      </p>
      <ScrollArea label="Snippet">
        <pre>{program.snippet}</pre>
      </ScrollArea>
      {program.command !== undefined && (
        <>
          <p className={form.hint}>Or let it write the entry itself, in a shell:</p>
          <ScrollArea label="Command">
            <pre>{program.command}</pre>
          </ScrollArea>
        </>
      )}
    </Dialog>
  );
}
