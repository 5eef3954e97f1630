/** Names of the IPC channels between the window and the main process. Imports nothing, because preload.ts bundles this file. */

/** Channel of every call of the window. Its arguments are the name of the call, as in contract.ts, and the call's arguments. */
export const CALL_CHANNEL = 'window:call';

/** Events that main sends. Each has a channel of its own name. */
export const EVENTS = [
  'harbor:changed',
  'settings:changed',
  'session:opening',
  'session:changed',
  'session:ended',
  'checkpoints:changed',
  'evaluation:opened',
  'evaluation:output',
  'evaluation:closed',
  'history:changed',
  'listener:output',
  'listener:changed',
  'approvals:changed',
  'needs:changed',
  'updates:changed',
  'window:go',
  'window:run',
] as const;

export type EventName = (typeof EVENTS)[number];
