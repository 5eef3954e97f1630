/** Japanese parts a name in Latin letters from what follows it by a space, and one of its own not. */
export function spaced(name: string): string {
  return /[!-~]$/.test(name) ? `${name} ` : name;
}
