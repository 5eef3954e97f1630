/** Where the cursor goes, and how the keyboard leaves an editor. */
import type { EditorView } from '@codemirror/view';

/** For the next moment, Tab leaves the editor. */
export function leaveByTab(view: EditorView): boolean {
  view.setTabFocusMode(2_000);
  return true;
}

export function moveTo(view: EditorView, at: number): boolean {
  view.dispatch({ selection: { anchor: at }, scrollIntoView: true, userEvent: 'select' });
  return true;
}

export function moveLine(view: EditorView, forward: boolean): boolean {
  return moveTo(view, view.moveVertically(view.state.selection.main, forward).head);
}

/** Where the rest of the line ends; of an empty rest, the newline. */
export function endOfLine(view: EditorView): number {
  const { head } = view.state.selection.main;
  const { to } = view.state.doc.lineAt(head);
  return head === to ? Math.min(to + 1, view.state.doc.length) : to;
}

/** To the end of the line that is seen, or to its beginning. */
export function moveToBoundary(view: EditorView, forward: boolean): boolean {
  return moveTo(view, view.moveToLineBoundary(view.state.selection.main, forward).head);
}
