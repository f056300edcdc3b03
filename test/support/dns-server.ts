import { createSocket, type Socket } from 'node:dgram';

/** Records of one name, by type; a name that is not in the zone does not exist. */
export type Zone = Readonly<
  Record<
    string,
    {
      readonly a?: readonly string[];
      readonly mx?: readonly { readonly priority: number; readonly exchange: string }[];
      readonly txt?: readonly string[];
      readonly srv?: readonly {
        readonly priority: number;
        readonly weight: number;
        readonly port: number;
        readonly name: string;
      }[];
    }
  >
>;

const TYPES = { 1: 'a', 15: 'mx', 16: 'txt', 33: 'srv' } as const;

/** A DNS server for one zone on loopback, over UDP. Source: RFC 1035 4.1, RFC 2782. */
export class DnsServer {
  /** Every question: type and name. */
  readonly asked: string[] = [];
  readonly #socket: Socket;
  readonly #zone: Zone;
  #silent = false;
  port = 0;

  private constructor(zone: Zone) {
    this.#zone = zone;
    this.#socket = createSocket('udp4');
    this.#socket.on('message', (question, from) => {
      const answer = this.#answer(question);
      if (!this.#silent) this.#socket.send(answer, from.port, from.address);
    });
  }

  static async start(zone: Zone): Promise<DnsServer> {
    const server = new DnsServer(zone);
    await new Promise<void>((resolve) => server.#socket.bind(0, '127.0.0.1', resolve));
    server.port = server.#socket.address().port;
    return server;
  }

  /** As a resolver takes it. */
  get address(): string {
    return `127.0.0.1:${this.port}`;
  }

  /** Hears questions and answers none. */
  fallSilent(): void {
    this.#silent = true;
  }

  close(): Promise<void> {
    return new Promise((resolve) => this.#socket.close(() => resolve()));
  }

  #answer(question: Buffer): Buffer {
    const { name, end } = readName(question, 12);
    const type = question.readUInt16BE(end);
    const key = Object.entries(TYPES).find(([code]) => Number(code) === type)?.[1];
    this.asked.push(`${key ?? type} ${name}`);
    const records = this.#zone[name];
    const data = key === undefined ? [] : (records?.[key] ?? []).map((record) => encode(record, key));
    const head = Buffer.alloc(12);
    question.copy(head, 0, 0, 2);
    head.writeUInt16BE(records === undefined ? 0x8183 : 0x8180, 2);
    head.writeUInt16BE(1, 4);
    head.writeUInt16BE(data.length, 6);
    const answers = data.map((bytes) => {
      const record = Buffer.alloc(12);
      record.writeUInt16BE(0xc00c, 0);
      record.writeUInt16BE(type, 2);
      record.writeUInt16BE(1, 4);
      record.writeUInt32BE(60, 6);
      record.writeUInt16BE(bytes.length, 10);
      return Buffer.concat([record, bytes]);
    });
    return Buffer.concat([head, question.subarray(12, end + 4), ...answers]);
  }
}

function readName(bytes: Buffer, start: number): { readonly name: string; readonly end: number } {
  const labels: string[] = [];
  let at = start;
  for (let length = bytes[at] ?? 0; length > 0; length = bytes[at] ?? 0) {
    labels.push(bytes.toString('latin1', at + 1, at + 1 + length).toLowerCase());
    at += length + 1;
  }
  return { name: labels.join('.'), end: at + 1 };
}

function writeName(name: string): Buffer {
  const labels = name.split('.').filter((label) => label !== '');
  return Buffer.concat([
    ...labels.map((label) => Buffer.from([label.length, ...Buffer.from(label, 'latin1')])),
    Buffer.from([0]),
  ]);
}

function encode(record: unknown, type: (typeof TYPES)[keyof typeof TYPES]): Buffer {
  const shorts = (...values: number[]): Buffer => {
    const bytes = Buffer.alloc(2 * values.length);
    for (const [index, value] of values.entries()) bytes.writeUInt16BE(value, 2 * index);
    return bytes;
  };
  const field = (name: string): unknown =>
    typeof record === 'object' && record !== null ? Reflect.get(record, name) : undefined;
  switch (type) {
    case 'a':
      return Buffer.from(String(record).split('.').map(Number));
    case 'txt': {
      const pieces = String(record).match(/.{1,255}/gs) ?? [];
      return Buffer.concat(pieces.map((piece) => Buffer.from([piece.length, ...Buffer.from(piece, 'latin1')])));
    }
    case 'mx':
      return Buffer.concat([shorts(Number(field('priority'))), writeName(String(field('exchange')))]);
    case 'srv':
      return Buffer.concat([
        shorts(Number(field('priority')), Number(field('weight')), Number(field('port'))),
        writeName(String(field('name'))),
      ]);
  }
}
