/** The tabs that can stand beside a session's REPL. A row and a folder make another one. */
import type { ReactNode } from 'react';
import type { SessionView } from '../../electron/contract/model';
import type { Words } from '../../electron/words/words';
import { BrowseTab } from '../browse/browse-tab';
import { ChangesTab } from '../changes/changes-tab';
import { DefinitionsTab } from '../changes/definitions-tab';
import { CheckpointsTab } from '../checkpoints/checkpoints-tab';
import { DebuggerTab } from '../debugger/debugger-tab';
import { InspectorTab } from '../inspector/inspector-tab';
import { LogTab } from '../log/log-tab';
import { TapsTab } from '../taps/taps-tab';
import { BuilderTab } from '../world/builder-tab';
import { EventsTab } from '../world/events-tab';
import { MemoryTab } from './memory-tab';
import { ProofTab } from './proof-tab';

export interface SessionTab {
  /** As in the page's address: small letters and hyphens. Its title is in words/session.ts. */
  id: keyof Words['session']['tabs'];
  /** Whether the session has such a tab; it stays the same while the session lives. */
  offered: (session: SessionView) => boolean;
  /** Whether it asks the image: for a session that has none the tab then says so instead. */
  needsImage: boolean;
  Panel: (props: { session: SessionView }) => ReactNode;
}

const always = () => true;

/** In the order in which they stand; the first that a session offers is shown where the chosen one is not offered. */
export const SESSION_TABS: readonly SessionTab[] = [
  // It says what failed also when the image is gone.
  { id: 'debugger', offered: always, needsImage: false, Panel: DebuggerTab },
  { id: 'inspector', offered: always, needsImage: true, Panel: InspectorTab },
  { id: 'browse', offered: always, needsImage: true, Panel: BrowseTab },
  { id: 'changes', offered: always, needsImage: true, Panel: ChangesTab },
  { id: 'definitions', offered: always, needsImage: true, Panel: DefinitionsTab },
  { id: 'proof', offered: ({ world }) => world, needsImage: false, Panel: ProofTab },
  { id: 'builder', offered: ({ world }) => world, needsImage: true, Panel: BuilderTab },
  { id: 'events', offered: ({ world }) => world, needsImage: false, Panel: EventsTab },
  { id: 'taps', offered: ({ taps }) => taps, needsImage: true, Panel: TapsTab },
  { id: 'checkpoints', offered: always, needsImage: false, Panel: CheckpointsTab },
  { id: 'memory', offered: always, needsImage: true, Panel: MemoryTab },
  { id: 'log', offered: always, needsImage: false, Panel: LogTab },
];
