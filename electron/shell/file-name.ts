/** File names that are made of what people call things. Pure. */

/** `tide tables.lisp` for a session called so, or another extension; what no file system takes in a name is left out. */
export function fileNameFor(name: string, extension = 'lisp'): string {
  const plain = name
    .replace(/[\p{Cc}<>:"/\\|?*]+/gu, ' ')
    .replace(/\s+/g, ' ')
    .replace(/^[ .]+|[ .]+$/g, '');
  return `${plain === '' ? 'session' : plain}.${extension}`;
}
