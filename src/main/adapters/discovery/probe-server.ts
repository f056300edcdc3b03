import type { ProbeServer } from '../../engine/discovery/ports.ts';
import { SMTP_DEADLINES } from '../smtp/deadlines.ts';
import { openSocket, secureSocket } from '../smtp/open-socket.ts';
import { openTransport } from '../smtp/open-transport.ts';

/** Connects as sending would, up to the greeting under TLS, and goes away: no login, no name of anybody. */
export function createProbe(caFile: string | null): ProbeServer {
  return async (kind, { host, port, security }, signal) => {
    const server = { host, port, security, caFile };
    if (kind === 'smtp') {
      const watch = { deadlines: SMTP_DEADLINES, signal, clientName: null, onStage: () => undefined };
      const opened = await openTransport(server, watch);
      if (opened.ok) opened.value.socket.destroy();
      return opened.ok;
    }
    // Only servers with TLS from the start are guessed for IMAP: the certificate is all there is to see.
    const plain = await openSocket(server, { deadlineMs: SMTP_DEADLINES.connectMs, signal });
    if (!plain.ok) return false;
    const secured = await secureSocket(plain.value, server, { deadlineMs: SMTP_DEADLINES.tlsMs, signal });
    if (secured.ok) secured.value.destroy();
    return secured.ok;
  };
}
