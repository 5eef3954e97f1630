/** Every text that the window, its menus, the tray and notifications show: a file a subject, in each language. */
import { approvals } from './approvals';
import { books } from './books';
import { browse } from './browse';
import { changes } from './changes';
import { checkpoints } from './checkpoints';
import { clients } from './clients';
import { commands } from './commands';
import { common } from './common';
import { copying } from './copying';
import { debug } from './debugger';
import { diagnostics } from './diagnostics';
import { dialogs } from './dialogs';
import { emacs } from './emacs';
import { entry } from './entry';
import { evaluations } from './evaluations';
import { failures } from './failures';
import { firstSteps } from './first-steps';
import { formats } from './formats';
import { history } from './history';
import { home } from './home';
import { inspector } from './inspector';
import type { InEach, Language } from './language';
import { log } from './log';
import { losses } from './losses';
import { memory } from './memory';
import { menu } from './menu';
import { messages } from './messages';
import { notices } from './notices';
import { parts } from './parts';
import { ports } from './ports';
import { proofs } from './proofs';
import { repl } from './repl';
import { rotation } from './rotation';
import { sandbox } from './sandbox';
import { session } from './session';
import { sessionMenu } from './session-menu';
import { sessions } from './sessions';
import { settings } from './settings';
import { shortcuts } from './shortcuts';
import { states } from './states';
import { taps } from './taps';
import { tray } from './tray';
import { trust } from './trust';
import { updates } from './updates';
import { window } from './window';
import { world } from './world';

const SUBJECTS = {
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
  emacs,
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
  sandbox,
  session,
  sessionMenu,
  sessions,
  settings,
  shortcuts,
  states,
  tray,
  trust,
  updates,
  window,
  world,
};

type Subjects = typeof SUBJECTS;

/** The catalogue in one language. */
export type Words = { readonly [Subject in keyof Subjects]: Subjects[Subject]['en'] };

export function wordsOf(language: Language): Words {
  return WORDS[language];
}

const WORDS: InEach<Words> = { en: inLanguage('en'), ja: inLanguage('ja') };

function inLanguage(language: Language): Words {
  const texts = Object.entries(SUBJECTS).map(([subject, { [language]: text }]) => [subject, text]);
  return Object.fromEntries(texts) as Words;
}
