import { lookup as systemLookup } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import { isInside } from '../message/inside-networks.ts';

/**
 * Whether a host leads, by any of its addresses, to this machine or its own network. A person may type such a mail
 * server; one that somebody outside named must not make this program log in there. A name that nobody knows leads
 * nowhere. Never rejects.
 */
export function leadsInside(host: string, lookup: LookupFunction = systemLookup): Promise<boolean> {
  if (isIP(host) !== 0) return Promise.resolve(isInside(host));
  return new Promise((resolve) => {
    lookup(host, { all: true }, (error, found) => {
      const addresses = Array.isArray(found) ? found.map(({ address }) => address) : [found];
      resolve(error === null && addresses.some(isInside));
    });
  });
}
