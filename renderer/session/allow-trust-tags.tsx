/** A person names trust tags that the system's own books may use in a session, and reads what that means. */
import { useState } from 'react';
import { Input, TextField } from 'react-aria-components';
import type { SessionView } from '../../electron/contract/model';
import { Button } from '../parts/button';
import { Dialog } from '../parts/dialog';
import fields from '../parts/field.module.css';
import { tagNames } from '../parts/tag-names';
import { useServices, useWords } from '../services';

interface AllowTrustTagsProps {
  session: SessionView;
  onClose: () => void;
}

export function AllowTrustTags({ session: { id, name }, onClose }: AllowTrustTagsProps) {
  const words = useWords();
  const { actions } = useServices();
  const [typed, setTyped] = useState('');
  const names = tagNames(typed);
  const allow = () => {
    if (names.length === 0) return;
    void actions.allowTrustTags(id, names);
    onClose();
  };
  return (
    <Dialog
      title={words.session.trustTagsAsked(name)}
      onClose={onClose}
      buttons={
        <>
          <Button onPress={onClose}>{words.common.cancel}</Button>
          <Button kind="primary" isDisabled={names.length === 0} onPress={allow}>
            {words.session.trustTagsNow(name)}
          </Button>
        </>
      }
    >
      <p>{words.session.trustTagsAbout}</p>
      <TextField
        aria-label={words.session.trustTags}
        value={typed}
        onChange={setTyped}
        onKeyDown={(event) => event.key === 'Enter' && allow()}
        autoFocus
      >
        <Input className={fields.text ?? ''} placeholder="read-string, oslib" />
      </TextField>
    </Dialog>
  );
}
