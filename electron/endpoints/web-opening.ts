/**
 * What a web page may reach: a browser can be made to open a connection to any port of this computer, and the page has a
 * say in what goes over it. It always comes as HTTP or TLS, which the first byte tells apart from the line protocols here.
 */

/** Record type of a TLS handshake (RFC 8446, section 5.1), and how the hello of SSL 2 began. */
const TLS_HANDSHAKE = 0x16;
const SSL2_HELLO = 0x80;

/** Whether bytes that open a connection are HTTP (its methods are upper case, RFC 9110, section 9.1) or TLS. Pure. */
export function opensAsWeb(bytes: Uint8Array): boolean {
  const [first = 0] = bytes;
  const upperCase = first >= 0x41 && first <= 0x5a;
  return upperCase || first === TLS_HANDSHAKE || first === SSL2_HELLO;
}
