/** A folder that a person drops on the window becomes the project of a new session. */
import { useEffect } from 'react';
import { pathOf } from '../bridge';
import { useServices } from '../services';

export function useFolderDrop(): void {
  const { actions } = useServices();
  useEffect(() => {
    const over = (event: DragEvent) => {
      if (event.dataTransfer?.types.includes('Files')) event.preventDefault();
    };
    const drop = (event: DragEvent) => {
      const [file] = event.dataTransfer?.files ?? [];
      const folder = file ? pathOf(file) : '';
      if (folder === '') return;
      event.preventDefault();
      void actions.opener.openProject(folder);
    };
    addEventListener('dragover', over);
    addEventListener('drop', drop);
    return () => {
      removeEventListener('dragover', over);
      removeEventListener('drop', drop);
    };
  }, [actions]);
}
