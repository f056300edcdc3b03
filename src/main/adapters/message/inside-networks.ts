import { BlockList, isIP } from 'node:net';

/** What is said of an address that is not connected to. */
export const INSIDE = 'its address lies on this machine or in its own network';

/** Loopback, private, link-local, multicast and for documents only. Source: RFC 6890 and its registries. */
const NETWORKS = new BlockList();
// 198.18.0.0/15 stays allowed: local proxies answer every name with an address of it.
for (const [network, prefix] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.168.0.0', 16],
  ['224.0.0.0', 3],
] as const) {
  NETWORKS.addSubnet(network, prefix, 'ipv4');
}
for (const [network, prefix] of [
  ['::', 96],
  ['100::', 64],
  ['fc00::', 7],
  ['fe80::', 10],
  ['fec0::', 10],
  ['ff00::', 8],
] as const) {
  NETWORKS.addSubnet(network, prefix, 'ipv6');
}

/** True for an address of this machine or its network, those written inside another address included. */
export function isInside(address: string): boolean {
  const [plain = ''] = address.split('%');
  if (isIP(plain) !== 6) return NETWORKS.check(plain, 'ipv4');
  const carried = carriedAddress(plain);
  // The list itself reads the IPv4-mapped form.
  return NETWORKS.check(plain, 'ipv6') || (carried !== null && NETWORKS.check(carried, 'ipv4'));
}

/** Why an address of this machine or its network is not connected to. */
export const refuseInside = (address: string): string | null => (isInside(address) ? INSIDE : null);

/**
 * The IPv4 address that a translator (64:ff9b::/96) or a relay (2002::/16) would lead to; null for any other.
 * Source: RFC 6052 2.1, RFC 3056 2.
 */
function carriedAddress(address: string): string | null {
  const groups = groupsOf(address);
  const [first, second] = groups;
  if (first === 0x2002) return dotted(groups.slice(1, 3));
  if (first === 0x64 && second === 0xff9b && groups.slice(2, 6).every((group) => group === 0)) {
    return dotted(groups.slice(6));
  }
  return null;
}

/** The eight numbers of an IPv6 address, as the URL parser writes it: without dots, one gap at most. */
function groupsOf(address: string): readonly number[] {
  const written = new URL(`http://[${address}]`).hostname.slice(1, -1);
  const [head = '', tail] = written.split('::');
  const numbers = (text: string): number[] =>
    text === '' ? [] : text.split(':').map((part) => Number.parseInt(part, 16));
  const [before, after] = [numbers(head), numbers(tail ?? '')];
  return [...before, ...new Array<number>(8 - before.length - after.length).fill(0), ...after];
}

const dotted = (groups: readonly number[]): string => groups.flatMap((group) => [group >> 8, group & 0xff]).join('.');
