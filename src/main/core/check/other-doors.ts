import type { Provider } from '../../../shared/providers/provider.ts';
import type { SmtpServer } from '../../../shared/settings.ts';

const USUAL_DOORS = [
  { port: 465, security: 'tls' },
  { port: 587, security: 'starttls' },
] as const;

/**
 * The same server at other ports, where the one that was asked for may be closed by a firewall: those its provider
 * names, or the other usual one. Never less protected, and none for a port that is not usual.
 */
export function otherDoors(server: SmtpServer, providers: readonly Provider[]): readonly SmtpServer[] {
  const host = server.host.toLowerCase();
  const named = providers.flatMap(({ sites }) => sites.flatMap(({ smtp }) => smtp.filter((one) => one.host === host)));
  const doors = named.length > 0 ? named : USUAL_DOORS;
  if (!doors.some(({ port, security }) => port === server.port && security === server.security)) return [];
  const others = new Map(doors.map(({ port, security }) => [port, { ...server, port, security }]));
  others.delete(server.port);
  return [...others.values()];
}
