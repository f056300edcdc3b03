import type { Mailbox, ServerAddress } from '../../core/discovery/found-server.ts';
import type { ServiceRecord } from '../../core/discovery/service-records.ts';
import type { Clock } from '../ports.ts';

/** Questions to the DNS. None rejects: a name that nobody knows and a server that does not answer give an empty list. */
export type NameLookups = {
  /** Names of the servers that receive a domain's mail, lower case, without the last dot, the most preferred first. */
  receivers(domain: string, signal: AbortSignal): Promise<readonly string[]>;
  texts(domain: string, signal: AbortSignal): Promise<readonly string[]>;
  services(name: string, signal: AbortSignal): Promise<readonly ServiceRecord[]>;
};

export type ConfigRequest = {
  readonly url: string;
  /** The domain whose owner may read the address: no other host ever gets it. Null where nobody may. */
  readonly ownDomain: string | null;
  readonly mailbox: Mailbox;
};

/** Reads a client configuration from the web into plain objects; null where there is none that can be read. Never rejects. */
export type ConfigSource = (request: ConfigRequest, signal: AbortSignal) => Promise<unknown>;

/** True where a mail server answers there under TLS with a valid certificate. Says nothing of anybody. Never rejects. */
export type ProbeServer = (kind: 'smtp' | 'imap', server: ServerAddress, signal: AbortSignal) => Promise<boolean>;

export type DiscoveryPorts = {
  readonly clock: Pick<Clock, 'sleep'>;
  readonly names: NameLookups;
  readonly configs: ConfigSource;
  readonly probe: ProbeServer;
  /** False where nothing outside of this computer answers, so that nobody could be asked. Never rejects. */
  readonly isOnline: (signal: AbortSignal) => Promise<boolean>;
};
