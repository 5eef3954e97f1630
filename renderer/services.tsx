/** What every view may use, built once in main.tsx and handed down by context. */
import type { QueryClient } from '@tanstack/react-query';
import { createContext, useContext } from 'react';
import { type StoreApi, useStore } from 'zustand';
import type { SessionId } from '../electron/contract/model';
import type { Language } from '../electron/words/language';
import { type Words, wordsOf } from '../electron/words/words';
import type { Actions } from './actions';
import type { Command, CommandId } from './commands';
import type { LiveState } from './live';
import type { Route } from './route';
import type { SessionAct, SessionDialog } from './session/session-acts';
import type { ToastState, Toasts } from './toasts';
import type { ViewState } from './view-state';

export interface AskedOfSession {
  session: SessionId;
  dialog: SessionDialog;
}

export interface Services {
  live: StoreApi<LiveState>;
  route: StoreApi<Route>;
  viewState: StoreApi<ViewState>;
  toastList: StoreApi<ToastState>;
  /** Whether the palette is open. */
  palette: StoreApi<boolean>;
  /** The dialog of a session that is open. */
  sessionDialog: StoreApi<AskedOfSession | null>;
  language: StoreApi<Language>;
  queries: QueryClient;
  toasts: Toasts;
  actions: Actions;
  /** What can be done with a session. */
  acts: readonly SessionAct[];
  commands: readonly Command[];
  /** Decides how shortcuts are matched and written. */
  mac: boolean;
}

export const ServicesContext = createContext<Services | null>(null);

export function useServices(): Services {
  const services = useContext(ServicesContext);
  if (!services) throw new Error('a view was drawn outside the services');
  return services;
}

export function useLive<T>(select: (state: LiveState) => T): T {
  return useStore(useServices().live, select);
}

export function useRoute<T>(select: (route: Route) => T): T {
  return useStore(useServices().route, select);
}

export function useViewState<T>(select: (viewState: ViewState) => T): T {
  return useStore(useServices().viewState, select);
}

export function useLanguage(): Language {
  return useStore(useServices().language);
}

/** The texts in the language of the moment. */
export function useWords(): Words {
  return wordsOf(useLanguage());
}

/** The command of that id, whose title changes with the language. */
export function useCommand(id: CommandId): Command {
  useLanguage();
  const command = useServices().commands.find((candidate) => candidate.id === id);
  if (!command) throw new Error(`there is no command ${id}`);
  return command;
}
