/**
 * Links that open the window, such as `lisp-harbor://history/812`: whoever can show a link can send one, so they name a place
 * in the window and do nothing else. Pure.
 */
const SCHEME = 'lisp-harbor://';

/** The places: a view, a session, an evaluation, a call. */
const PLACE =
  /^(?:home|sessions(?:\/[\w-]{1,64})?|history(?:\/(?:call\/)?\d{1,15})?|sandbox|clients|settings)$/;

export function isAppLink(word: string): boolean {
  return word.toLowerCase().startsWith(SCHEME);
}

/** The hash of the window's route that a link names; null for any other text. */
export function routeOfLink(link: string): string | null {
  if (!isAppLink(link)) return null;
  // Browsers add a slash to what they take for the name of a host.
  const place = link.slice(SCHEME.length).replace(/\/$/, '');
  return isPlace(place) ? `#/${place}` : null;
}

/** Whether it is a hash that a link may name. */
export function isLinkedRoute(route: string): boolean {
  return route.startsWith('#/') && isPlace(route.slice(2));
}

function isPlace(text: string): boolean {
  return PLACE.test(text);
}
