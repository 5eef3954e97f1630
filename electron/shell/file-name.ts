/** File names that are made of what people call things. Pure. */

/** `tide tables.lisp` for a session called so; what no file system takes in a name is left out. */
export function fileNameFor(name: string): string {
  const plain = name
    .replace(/[\p{Cc}<>:"/\\|?*]+/gu, ' ')
    .replace(/\s+/g, ' ')
    .replace(/^[ .]+|[ .]+$/g, '');
  return `${plain === '' ? 'session' : plain}.lisp`;
}
