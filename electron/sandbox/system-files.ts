/** What programs read of /etc wherever they are confined on Linux. */

/** Libraries and tools are found through these; none of them tells who uses this machine. */
const ALWAYS = ['/etc/alternatives', '/etc/ld.so.cache', '/etc/localtime'];

/** Names and certificates, of use with a network only. */
const WITH_NETWORK = [
  '/etc/hosts',
  '/etc/nsswitch.conf',
  '/etc/resolv.conf',
  '/etc/ssl',
  '/etc/ca-certificates',
];

/** Not all of them are on every machine. */
export function systemFiles(network: boolean): string[] {
  return network ? [...ALWAYS, ...WITH_NETWORK] : ALWAYS;
}
