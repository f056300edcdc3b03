import type { DiscoverySource } from '../../../shared/account-discovery.ts';
import { PROVIDERS } from '../../../shared/providers/providers.ts';
import { err, ok, type Result } from '../../../shared/result.ts';
import type { FoundServer, Mailbox, ServerAddress } from '../../core/discovery/found-server.ts';
import { guessedServer, guessedServers } from '../../core/discovery/guessed-servers.ts';
import {
  isGateway,
  matchDomain,
  matchReceivers,
  matchSpf,
  presetServer,
  providerOfServer,
} from '../../core/discovery/match-provider.ts';
import { readAutoconfig } from '../../core/discovery/read-autoconfig.ts';
import { receivingDomain } from '../../core/discovery/receiving-domain.ts';
import { serverOfRecords } from '../../core/discovery/service-records.ts';
import type { ConfigRequest, DiscoveryPorts } from './ports.ts';
import { firstInOrder, within } from './within.ts';

/** Longest time for each step; together 7.5 s, so that an answer stands within 8 s whatever is dead. */
const NAMES_MS = 2_000;
const CONFIGS_MS = 3_000;
const GUESS_MS = 2_500;

export const ISPDB_HOST = 'autoconfig.thunderbird.net';
const ISPDB = `https://${ISPDB_HOST}/v1.1`;

/** Why no server was found: nobody knows it, or there is no network to ask anybody. */
export type NotFound = 'unknown' | 'offline';

/**
 * The mail server behind an address, from the most to the least trusted source: what this program knows of the domain
 * or of the servers that receive its mail; a configuration that the domain's owner, then Thunderbird's database, then
 * the receiving provider publishes; the domain's service records; and last the usual names, where a server with a
 * valid certificate answers. Within 8 s also where nobody knows. The address itself goes to the domain's own
 * configuration server only; all others hear the domain at most. Source of the order: RFC 8314, RFC 6186 and the
 * practice of Thunderbird.
 */
export async function discoverServer(
  ports: DiscoveryPorts,
  mailbox: Mailbox,
  signal: AbortSignal,
): Promise<Result<FoundServer, NotFound>> {
  const known = matchDomain(mailbox.domain, PROVIDERS);
  if (known !== null) return ok(presetServer(known, mailbox, 'preset-domain'));
  const { clock } = ports;
  const receivers = await within(clock, { limitMs: NAMES_MS, signal }, (either) => byNames(ports, mailbox, either), []);
  if (!Array.isArray(receivers)) return ok(receivers);
  const published = await byConfigs(ports, mailbox, receivers, signal);
  if (published !== null) return ok({ ...published, provider: providerOfServer(published.smtp, PROVIDERS) });
  return signal.aborted ? err('unknown') : guessOrWhyNot(ports, mailbox, signal);
}

/** The last step, and beside it the look whether there is a network at all. */
async function guessOrWhyNot(
  ports: DiscoveryPorts,
  mailbox: Mailbox,
  signal: AbortSignal,
): Promise<Result<FoundServer, NotFound>> {
  const over = new AbortController();
  const limits = { limitMs: GUESS_MS, signal: AbortSignal.any([signal, over.signal]) };
  const isOnline = within(ports.clock, limits, ports.isOnline, false);
  try {
    const guessed = await byGuess(ports, mailbox, signal);
    if (guessed !== null) return ok(guessed);
    return err((await isOnline) || signal.aborted ? 'unknown' : 'offline');
  } finally {
    over.abort();
  }
}

/** A preset, or the names of the receiving servers for the next step. */
async function byNames(
  { names }: DiscoveryPorts,
  mailbox: Mailbox,
  signal: AbortSignal,
): Promise<FoundServer | string[]> {
  const texts = names.texts(mailbox.domain, signal);
  const receivers = await names.receivers(mailbox.domain, signal);
  const match = matchReceivers(receivers, PROVIDERS);
  if (match !== null) return presetServer(match, mailbox, 'preset-mx');
  if (!receivers.some(isGateway)) return [...receivers];
  const hint = matchSpf(await texts, PROVIDERS);
  return hint === null ? [] : presetServer(hint, mailbox, 'preset-spf');
}

async function byConfigs(
  { clock, names, configs }: DiscoveryPorts,
  mailbox: Mailbox,
  receivers: readonly string[],
  signal: AbortSignal,
): Promise<FoundServer | null> {
  const { domain, address } = mailbox;
  const limits = { limitMs: CONFIGS_MS, signal };
  const over = new AbortController();
  const either = { ...limits, signal: AbortSignal.any([signal, over.signal]) };
  const config = (
    source: DiscoverySource,
    { url, ownDomain }: Pick<ConfigRequest, 'url' | 'ownDomain'>,
    trust: FoundServer['trust'] = 'take',
  ) =>
    within(
      clock,
      either,
      async (stop): Promise<FoundServer | null> => {
        const read = readAutoconfig(await configs({ url, ownDomain, mailbox }, stop), mailbox);
        return read.ok ? { source, from: new URL(url).host, provider: null, trust, ...read.value } : null;
      },
      null,
    );
  const services = within(
    clock,
    either,
    async (stop) => {
      const [submissions, submission, imaps] = await Promise.all([
        names.services(`_submissions._tcp.${domain}`, stop),
        names.services(`_submission._tcp.${domain}`, stop),
        names.services(`_imaps._tcp.${domain}`, stop),
      ]);
      return serverOfRecords({ submissions, submission, imaps }, mailbox);
    },
    null,
  );
  const [receiver] = receivers;
  const behind = receiver === undefined ? null : receivingDomain(receiver);
  const other = behind === domain ? null : behind;
  try {
    return await firstInOrder([
      config('autoconfig', {
        url: `https://autoconfig.${domain}/mail/config-v1.1.xml?emailaddress=${encodeURIComponent(address)}`,
        ownDomain: domain,
      }),
      config('autoconfig', {
        url: `https://${domain}/.well-known/autoconfig/mail/config-v1.1.xml`,
        ownDomain: domain,
      }),
      config('ispdb', { url: `${ISPDB}/${domain}`, ownDomain: null }),
      ...(other === null
        ? []
        : [
            config('mx-ispdb', { url: `${ISPDB}/${other}`, ownDomain: null }),
            // Names of receiving servers come over unprotected DNS: whoever forged them could answer here.
            config(
              'mx-autoconfig',
              { url: `https://autoconfig.${other}/mail/config-v1.1.xml`, ownDomain: null },
              'ask',
            ),
          ]),
      services,
    ]);
  } finally {
    // What stands behind the answer is not waited for.
    over.abort();
  }
}

async function byGuess(
  { clock, probe }: DiscoveryPorts,
  mailbox: Mailbox,
  signal: AbortSignal,
): Promise<FoundServer | null> {
  const guesses = guessedServers(mailbox.domain);
  const over = new AbortController();
  const limits = { limitMs: GUESS_MS, signal: AbortSignal.any([signal, over.signal]) };
  const alive = (kind: 'smtp' | 'imap', server: ServerAddress): Promise<ServerAddress | null> =>
    within(clock, limits, async (stop) => ((await probe(kind, server, stop)) ? server : null), null);
  const imap = guesses.imap === null ? Promise.resolve(null) : alive('imap', guesses.imap);
  try {
    const smtp = await firstInOrder(guesses.smtp.map((server) => alive('smtp', server)));
    return smtp === null ? null : guessedServer(smtp, await imap, mailbox);
  } finally {
    over.abort();
  }
}
