import { once } from 'node:events';
import { createServer } from 'node:net';

/** Ports below those the system gives to clients, so that no outgoing connection takes one meanwhile. */
export async function freePorts(count: number): Promise<number[]> {
  const found = new Set<number>();
  for (let tries = 0; found.size < count; tries += 1) {
    if (tries > 1000) throw new Error('no free ports between 10000 and 30000');
    const port = 10_000 + Math.floor(Math.random() * 20_000);
    if (await isFree(port)) found.add(port);
  }
  return [...found];
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer().listen(port, '127.0.0.1');
  try {
    await once(server, 'listening');
    return true;
  } catch {
    return false;
  } finally {
    server.close();
  }
}
