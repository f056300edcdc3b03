import { NODATA, NOTFOUND } from 'node:dns';
import { Resolver } from 'node:dns/promises';
import type { LookupFunction } from 'node:net';
import type { NameLookups } from '../../engine/discovery/ports.ts';

/** Records taken from one answer; what is more is not read. */
const RECORDS_MAX = 20;
const TRY_MS = 1_000;
const TRIES = 2;
const HOST = /^(?=.{1,253}$)[a-z0-9_]([a-z0-9._-]*[a-z0-9])?$/;

export type DnsNames = NameLookups & {
  /** True once a server has answered a question, be it that there is no such name. */
  readonly hasAnswer: () => boolean;
  /** For connections: addresses by the same servers. */
  readonly lookup: LookupFunction;
};

/** Asks these DNS servers, each as address or address:port; with none, those of the system. */
export function createNameLookups(servers: readonly string[]): DnsNames {
  const open = (): Resolver => {
    const resolver = new Resolver({ timeout: TRY_MS, tries: TRIES });
    if (servers.length > 0) resolver.setServers(servers);
    return resolver;
  };
  let answered = false;
  const ask = async <T>(question: (resolver: Resolver) => Promise<T[]>, signal: AbortSignal): Promise<T[]> => {
    const { records, isAnswer } = await askOnce(open(), question, signal);
    answered ||= isAnswer;
    return records;
  };
  return {
    hasAnswer: () => answered,
    receivers: async (domain, signal) => {
      const records = await ask((resolver) => resolver.resolveMx(domain), signal);
      return records
        .toSorted((a, b) => a.priority - b.priority)
        .map(({ exchange }) => hostName(exchange))
        .filter((host) => HOST.test(host));
    },
    texts: async (domain, signal) => {
      const records = await ask((resolver) => resolver.resolveTxt(domain), signal);
      return records.map((pieces) => pieces.join(''));
    },
    services: async (question, signal) => {
      const records = await ask((resolver) => resolver.resolveSrv(question), signal);
      return records.map(({ name, port, priority, weight }) => ({ name, port, priority, weight }));
    },
    lookup: (hostname, options, done) => {
      const resolver = open();
      const four = resolver.resolve4(hostname).catch(() => []);
      const six = resolver.resolve6(hostname).catch(() => []);
      void Promise.all([four, six]).then(([v4, v6]) => {
        const found = [
          ...v4.map((address) => ({ address, family: 4 })),
          ...v6.map((address) => ({ address, family: 6 })),
        ].slice(0, RECORDS_MAX);
        const [first] = found;
        if (first === undefined) done(Object.assign(new Error(`no address of ${hostname}`), { code: 'ENOTFOUND' }), []);
        else if (options.all === true) done(null, found);
        else done(null, first.address, first.family);
      });
    },
  };
}

const hostName = (name: string): string => name.toLowerCase().replace(/\.$/, '');

/** No such name, no such record, no answer: none helps, but only the last says nothing of the network. */
async function askOnce<T>(
  resolver: Resolver,
  question: (resolver: Resolver) => Promise<T[]>,
  signal: AbortSignal,
): Promise<{ readonly records: T[]; readonly isAnswer: boolean }> {
  if (signal.aborted) return { records: [], isAnswer: false };
  const stop = (): void => resolver.cancel();
  signal.addEventListener('abort', stop, { once: true });
  try {
    return { records: (await question(resolver)).slice(0, RECORDS_MAX), isAnswer: true };
  } catch (error) {
    return { records: [], isAnswer: error instanceof Error && 'code' in error && DENIALS.has(error.code) };
  } finally {
    signal.removeEventListener('abort', stop);
  }
}

/** What a server says that knows the name or the kind of record not to exist. A failure of its own may be the lack of a network. */
const DENIALS: ReadonlySet<unknown> = new Set([NOTFOUND, NODATA]);
