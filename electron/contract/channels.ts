/** Every name that may cross the bridge between window and main. No imports: preload bundles this file and nothing else. */
export const CALLS = [
  'harbor:status',
  'harbor:memory',
  'sessions:list',
  'sessions:open',
  'sessions:attach',
  'sessions:close',
  'sessions:interrupt',
  'sessions:hold',
  'checkpoints:list',
  'checkpoints:save',
  'checkpoints:restore',
  'checkpoints:branch',
  'checkpoints:drop',
  'sessions:memory',
  'sessions:unsaved',
  'sessions:export',
  'swank:start',
  'swank:stop',
  'listener:open',
  'listener:submit',
  'history:page',
  'history:evaluation',
  'tokens:list',
  'tokens:issue',
  'tokens:revoke',
  'connect:list',
  'connect:preview',
  'connect:add',
  'connect:remove',
  'settings:read',
  'settings:change',
  'projects:choose',
] as const;

export const EVENTS = [
  'harbor:changed',
  'session:changed',
  'session:ended',
  'checkpoints:changed',
  'evaluation:opened',
  'evaluation:output',
  'evaluation:closed',
  'listener:output',
] as const;

export type CallName = (typeof CALLS)[number];
export type EventName = (typeof EVENTS)[number];
