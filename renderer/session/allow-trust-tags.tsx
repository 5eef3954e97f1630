/** A person names trust tags that the system's own books may use in a session, and reads what that means. */
import { useState } from 'react';
import { Input, TextField } from 'react-aria-components';
import type { SessionView } from '../../electron/contract/model';
import { Button } from '../parts/button';
import { Dialog } from '../parts/dialog';
import fields from '../parts/field.module.css';
import { tagNames } from '../parts/tag-names';
import { useServices } from '../services';

interface AllowTrustTagsProps {
  session: SessionView;
  onClose: () => void;
}

export function AllowTrustTags({ session: { id, name }, onClose }: AllowTrustTagsProps) {
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
      title={`Allow trust tags in “${name}”`}
      onClose={onClose}
      buttons={
        <>
          <Button onPress={onClose}>Cancel</Button>
          <Button kind="primary" isDisabled={names.length === 0} onPress={allow}>
            Allow trust tags in {name}
          </Button>
        </>
      }
    >
      <p>
        Certified books of the system may then use these tags, and with them raw Lisp, for as long as the
        session is there. No other book gets them by taking their names, and results that rest on one say so.
      </p>
      <TextField
        aria-label="Trust tags"
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
