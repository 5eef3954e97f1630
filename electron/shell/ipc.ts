/** The window's calls and events over Electron's IPC. answer.ts decides what a call may do, output-batch.ts joins output. */
import { type BrowserWindow, ipcMain } from 'electron';
import { CALLS, type CallName, type EventName } from '../contract/channels';
import type { Payload, Reply } from '../contract/contract';
import type { CallingFrame } from './origin';
import { OutputBatch, type WindowEvent } from './output-batch';
import { ShownTexts } from './shown-texts';

/** Answers a call of the page. What it checks that by takes longer to load than the page: it comes with the harbor. */
export type Answer = (call: CallName, frame: CallingFrame | null, raw: unknown) => Promise<Reply<unknown>>;

/** Sends events to the window. Without one they are dropped: a page that loads asks for all that it shows. */
export class WindowEvents {
  readonly texts = new ShownTexts();
  readonly #batch: OutputBatch;

  constructor(window: () => BrowserWindow | null) {
    this.#batch = new OutputBatch(({ event, payload }) => {
      const target = window();
      if (target !== null && !target.isDestroyed()) target.webContents.send(event, payload);
    });
  }

  send<E extends EventName>(event: E, payload: Payload<E>): void {
    this.#batch.push({ event, payload: this.texts.forWindow(event, payload) } as WindowEvent);
  }

  /** Sends what still waits for its frame. */
  flush(): void {
    this.#batch.flush();
  }

  /** A page begins: nothing that was sent before is on its way to it. */
  begin(): void {
    this.#batch.begin();
  }

  /** The page has shown so many characters of output. */
  taken(characters: number): void {
    this.#batch.taken(characters);
  }
}

/**
 * Answers every call of the contract once there is who can: what is asked before waits. Events of what happened before an
 * answer reach the page before it, so that a page may take a snapshot and go on with the events that follow.
 */
export function registerCalls(answering: Promise<Answer>, events: WindowEvents): void {
  for (const call of CALLS) {
    ipcMain.handle(call, async (event, raw: unknown) => {
      // Taken before the wait: a frame that goes away meanwhile is null.
      const { senderFrame } = event;
      const answer = await answering;
      const reply = await answer(call, senderFrame, raw);
      // What tells of output shows nothing: after it only as much is sent as there is room for on the way.
      if (call !== 'output:taken') events.flush();
      return reply;
    });
  }
}
