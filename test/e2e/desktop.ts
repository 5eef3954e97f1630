/** What happens to the app outside of its page: the system's dialogs are answered, its window is resized. */
import type { ElectronApplication } from '@playwright/test';

/** Has the system's save dialog answered as a person would; null cancels. */
export async function answerSaveDialog(app: ElectronApplication, file: string | null): Promise<void> {
  await app.evaluate(({ dialog }, chosen) => {
    const answer = { canceled: chosen === null, filePath: chosen ?? '' };
    dialog.showSaveDialog = () => Promise.resolve(answer);
  }, file);
}

/** Gives the window's content this size, in pixels. */
export async function resize(
  app: ElectronApplication,
  size: { width: number; height: number },
): Promise<void> {
  await app.evaluate(({ BrowserWindow }, { width, height }) => {
    BrowserWindow.getAllWindows()[0]?.setContentSize(width, height);
  }, size);
}
