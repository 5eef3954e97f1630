/**
 * Text that comes without a key: from a character picker, an accessibility tool, dictation. With its screen
 * reader mode on, xterm passes over such input, because a screen reader's echo looks the same to it.
 */

/** Calls `insert` for every such text put into xterm's text area; answers the function that stops it. */
export function onInsertedText(area: HTMLTextAreaElement, insert: (text: string) => void): () => void {
  let keyDown = false;
  const down = () => {
    keyDown = true;
  };
  const up = () => {
    keyDown = false;
  };
  const input = (event: Event) => {
    if (!(event instanceof InputEvent) || event.isComposing || keyDown) return;
    if (event.inputType === 'insertText' && event.data) insert(event.data);
  };
  area.addEventListener('keydown', down, true);
  area.addEventListener('keyup', up, true);
  area.addEventListener('blur', up);
  area.addEventListener('input', input);
  return () => {
    area.removeEventListener('keydown', down, true);
    area.removeEventListener('keyup', up, true);
    area.removeEventListener('blur', up);
    area.removeEventListener('input', input);
  };
}
