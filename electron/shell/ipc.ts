/** The window's calls and events over Electron's IPC. What a call may do is in answer.ts, joining in output-batch.ts. */
import { type BrowserWindow, ipcMain } from 'electron';
import { CALLS, type CallName, type EventName } from '../contract/channels';
import type { Payload } from '../contract/contract';
import { answerCall, type CallHandlers } from './answer';
import { OutputBatch, type WindowEvent } from './output-batch';

/** Sends events to whatever window there is. Without one they are for nobody: a page that loads asks for all it shows. */
export class WindowEvents {
  readonly #batch: OutputBatch;

  constructor(window: () => BrowserWindow | null) {
    this.#batch = new OutputBatch(({ event, payload }) => {
      const target = window();
      if (target !== null && !target.isDestroyed()) target.webContents.send(event, payload);
    });
  }

  send<E extends EventName>(event: E, payload: Payload<E>): void {
    this.#batch.push({ event, payload } as WindowEvent);
  }

  /** Sends what still waits for its frame. */
  flush(): void {
    this.#batch.flush();
  }
}

/**
 * Answers every call of the contract from now on. What happened before an answer reaches the page before it, so
 * that a page may take a snapshot and go on with the events that come after. `report` is told of handlers that
 * fail by a defect of ours.
 */
export function registerCalls(
  handlers: CallHandlers,
  events: WindowEvents,
  report: (call: CallName, error: unknown) => void,
): void {
  for (const call of CALLS) {
    ipcMain.handle(call, async (event, raw: unknown) => {
      const reply = await answerCall(handlers, call, event.senderFrame, raw, report);
      events.flush();
      return reply;
    });
  }
}
