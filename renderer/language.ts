/** The language of the page: at first that of the document, then as a person has it in the settings. */
import type { QueryClient } from '@tanstack/react-query';
import { createStore, type StoreApi } from 'zustand';
import type { Settings } from '../electron/contract/settings';
import { type Language, languageOf } from '../electron/words/language';

/** Follows the settings; the document's `lang` follows too. */
export function followLanguage(queries: QueryClient): StoreApi<Language> {
  const { documentElement } = document;
  const store = createStore<Language>(() => (documentElement.lang === 'ja' ? 'ja' : 'en'));
  store.subscribe((language) => {
    documentElement.lang = language;
  });
  queries.getQueryCache().subscribe(({ query }) => {
    if (query.queryKey[0] !== 'settings') return;
    const settings = queries.getQueryData<Settings>(['settings']);
    if (settings) store.setState(languageOf(settings.language, navigator.language), true);
  });
  return store;
}
