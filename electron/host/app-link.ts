/**
 * Links that open the window, such as `lisp-harbor://history/812`. Any program can send one, so a link only
 * selects a view. Pure.
 */
const SCHEME = 'lisp-harbor://';

/** The routes that a link can name: a view, a session, an evaluation, a call. */
const PLACE =
  /^(?:home|sessions(?:\/[\w-]{1,64})?|source|history(?:\/(?:call\/)?\d{1,15})?|sandbox|clients|settings)$/;

export function isAppLink(word: string): boolean {
  return word.toLowerCase().startsWith(SCHEME);
}

/** Returns the route hash that a link names, or null. */
export function routeOfLink(link: string): string | null {
  if (!isAppLink(link)) return null;
  // Browsers add a slash to what they take for a host name.
  const route = link.slice(SCHEME.length).replace(/\/$/, '');
  return isRoute(route) ? `#/${route}` : null;
}

/** Reports whether a link may name this route hash. */
export function isLinkedRoute(route: string): boolean {
  return route.startsWith('#/') && isRoute(route.slice(2));
}

function isRoute(text: string): boolean {
  return PLACE.test(text);
}
