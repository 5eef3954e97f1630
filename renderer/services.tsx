/** The services of all views, built in main.tsx and provided by a React context. */
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
import type { SessionAction, SessionDialog } from './session/session-actions';
import type { ToastState, Toasts } from './toasts';
import type { ViewState } from './view-state';

export interface OpenSessionDialog {
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
  /** The open dialog of a session. */
  sessionDialog: StoreApi<OpenSessionDialog | null>;
  language: StoreApi<Language>;
  queries: QueryClient;
  toasts: Toasts;
  actions: Actions;
  /** The actions of a session. */
  sessionActions: readonly SessionAction[];
  commands: readonly Command[];
  /** Whether the platform is macOS; affects shortcuts. */
  mac: boolean;
}

export const ServicesContext = createContext<Services | null>(null);

export function useServices(): Services {
  const services = useContext(ServicesContext);
  if (!services) throw new Error('useServices was called outside of ServicesContext');
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

/** The texts in the current language. */
export function useWords(): Words {
  return wordsOf(useLanguage());
}

/** The command with that id. Its title follows the language. */
export function useCommand(id: CommandId): Command {
  useLanguage();
  const command = useServices().commands.find((candidate) => candidate.id === id);
  if (!command) throw new Error(`unknown command ${id}`);
  return command;
}
