/** All texts of the window, menus, tray and notifications, in each language. */

import { changes, checkpoints } from './changes';
import { clients, editors, ports, rotation } from './clients';
import { commands, menu, shortcuts, tray } from './commands';
import { debug, evaluations } from './debugger';
import { dialogs, losses, notices } from './dialogs';
import { formats } from './formats';
import { common, copying, failures, parts, states } from './general';
import { entry, history } from './history';
import { applications, firstSteps, home } from './home';
import { browse, inspector } from './inspector';
import type { InEach, Language } from './language';
import { messages, window } from './messages';
import { books, proofs, trust } from './proofs';
import { repl } from './repl';
import { approvals, sandbox } from './sandbox';
import { memory, session, sessionMenu, taps } from './session';
import { sessions } from './sessions';
import { diagnostics, log, settings, updates } from './settings';
import { source } from './source';

import { run, tests } from './tests';
import { world } from './world';

const SUBJECTS = {
  applications,
  approvals,
  books,
  browse,
  changes,
  checkpoints,
  clients,
  commands,
  common,
  copying,
  debug,
  diagnostics,
  dialogs,
  editors,
  entry,
  evaluations,
  failures,
  firstSteps,
  formats,
  history,
  home,
  inspector,
  log,
  losses,
  memory,
  taps,
  menu,
  messages,
  notices,
  parts,
  ports,
  proofs,
  repl,
  rotation,
  run,
  sandbox,
  session,
  sessionMenu,
  sessions,
  settings,
  shortcuts,
  source,
  states,
  tests,
  tray,
  trust,
  updates,
  window,
  world,
};

type Subjects = typeof SUBJECTS;

/** All texts in one language. */
export type Words = { readonly [Subject in keyof Subjects]: Subjects[Subject]['en'] };

export function wordsOf(language: Language): Words {
  return WORDS[language];
}

const WORDS: InEach<Words> = { en: inLanguage('en'), ja: inLanguage('ja') };

function inLanguage(language: Language): Words {
  const texts = Object.entries(SUBJECTS).map(([subject, { [language]: text }]) => [subject, text]);
  return Object.fromEntries(texts) as Words;
}
