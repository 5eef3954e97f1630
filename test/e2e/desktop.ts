/** What happens to the app outside of its page: the system's dialogs are answered, its window is resized. */
import type { ElectronApplication } from '@playwright/test';

/** Has the system's save dialog answered as a person would; null cancels. */
export async function answerSaveDialog(app: ElectronApplication, file: string | null): Promise<void> {
  await app.evaluate(({ dialog }, chosen) => {
    const answer = { canceled: chosen === null, filePath: chosen ?? '' };
    dialog.showSaveDialog = () => Promise.resolve(answer);
  }, file);
}

/** Has every question of the system's kind answered by the button of this label from now on, else by the last one. */
export async function answerQuestions(app: ElectronApplication, button: string): Promise<void> {
  await app.evaluate(({ dialog }, label) => {
    const asked: string[] = [];
    Object.assign(globalThis, { asked });
    dialog.showMessageBox = async (...args: unknown[]) => {
      const { detail, buttons = ['OK'] } = args.at(-1) as { detail: string; buttons?: string[] };
      asked.push(detail);
      const response = buttons.includes(label) ? buttons.indexOf(label) : buttons.length - 1;
      return { response, checkboxChecked: false };
    };
  }, button);
}

/** The details of all questions since `answerQuestions`. */
export function questions(app: ElectronApplication): Promise<string[]> {
  return app.evaluate(() => (globalThis as unknown as { asked: string[] }).asked);
}

/** Asks the app to quit, as its menu does. It may be gone before this has been answered: whoever wants it to end sees that. */
export async function askToQuit(app: ElectronApplication): Promise<void> {
  const asked = app.evaluate(({ app: electron }) => {
    setTimeout(() => electron.quit());
  });
  await asked.catch(() => undefined);
}

/** Quits as a person who wants that whatever is lost; answers when the app has ended. */
export async function quit(app: ElectronApplication): Promise<void> {
  await answerQuestions(app, 'Quit');
  await app.close();
}

/** Whether each window is on the screen. */
export function shown(app: ElectronApplication): Promise<boolean[]> {
  return app.evaluate(({ BrowserWindow }) =>
    BrowserWindow.getAllWindows().map((window) => window.isVisible()),
  );
}

export async function hideWindow(app: ElectronApplication): Promise<void> {
  await app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.hide());
}

export async function showWindow(app: ElectronApplication): Promise<void> {
  await app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.show());
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
