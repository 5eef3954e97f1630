/** The panes next to a session's REPL. A new pane is a row in this table, an icon in panes.tsx and a folder. */
import type { ReactNode } from 'react';
import type { SessionView } from '../../electron/contract/model';
import type { Words } from '../../electron/words/words';
import { BrowseTab } from '../browse/browse-tab';
import { ChangesTab, DefinitionsTab } from '../changes/changes-tab';

import { CheckpointsTab } from '../checkpoints/checkpoints-tab';
import { DebuggerTab } from '../debugger/debugger-tab';
import { InspectorTab } from '../inspector/inspector-tab';
import { LogTab } from '../log/log-list';
import { RunTab } from '../run/run-tab';
import { TapsTab } from '../taps/taps-tab';
import { BuilderTab } from '../world/builder-tab';
import { EventsTab } from '../world/events-tab';
import { MemoryTab } from './memory-tab';
import { ProofTab } from './proof-tab';

export interface SessionTab {
  /** The id in the route: lowercase letters and hyphens. The title is in words/session.ts. */
  id: keyof Words['session']['tabs'];
  /** Reports whether the session has this tab. The result is constant for a session. */
  offered: (session: SessionView) => boolean;
  /** Whether the tab needs an image. Without one, a placeholder is shown. */
  needsImage: boolean;
  Panel: (props: { session: SessionView }) => ReactNode;
}

const always = () => true;

/** The tabs in display order. The first one that the session has replaces an unavailable tab. */
export const SESSION_TABS: readonly SessionTab[] = [
  // The last error is available after the image has died.
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
  { id: 'run', offered: ({ measures }) => measures?.profile === true, needsImage: false, Panel: RunTab },
  { id: 'memory', offered: always, needsImage: true, Panel: MemoryTab },
  { id: 'log', offered: always, needsImage: false, Panel: LogTab },
];
