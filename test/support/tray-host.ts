import dbus from 'dbus-next';
import { z } from 'zod';

const ITEM = 'org.kde.StatusNotifierItem';
const ITEM_PATH = '/StatusNotifierItem';
const MENU = 'com.canonical.dbusmenu';
const WAIT_MS = 20_000;

export type MenuEntry = {
  readonly id: number;
  readonly label: string;
  readonly enabled: boolean;
  readonly children: readonly MenuEntry[];
};
export type TrayItem = { readonly tooltip: string; readonly menuPath: string; readonly pixels: Buffer };

/** What a desktop's panel is for tray icons: it must be there before the app starts. */
class Watcher extends dbus.interface.Interface {
  readonly items: string[] = [];
  readonly registeredAtMs: number[] = [];
  RegisterStatusNotifierItem(service: string): void {
    this.registeredAtMs.push(performance.now());
    this.items.push(service);
  }
  RegisterStatusNotifierHost(): void {
    // There is no other host.
  }
  get RegisteredStatusNotifierItems(): string[] {
    return this.items;
  }
  get IsStatusNotifierHostRegistered(): boolean {
    return true;
  }
  get ProtocolVersion(): number {
    return 0;
  }
}
Watcher.configureMembers({
  methods: {
    RegisterStatusNotifierItem: { inSignature: 's' },
    RegisterStatusNotifierHost: { inSignature: 's' },
  },
  properties: {
    RegisteredStatusNotifierItems: { signature: 'as', access: 'read' },
    IsStatusNotifierHostRegistered: { signature: 'b', access: 'read' },
    ProtocolVersion: { signature: 'i', access: 'read' },
  },
});

/** Plays the panel on one session bus, and the person who looks at the icon and clicks. */
export class TrayHost {
  readonly #bus: dbus.MessageBus;
  readonly #watcher: Watcher;

  private constructor(bus: dbus.MessageBus, watcher: Watcher) {
    this.#bus = bus;
    this.#watcher = watcher;
  }

  static async start(busAddress: string): Promise<TrayHost> {
    const bus = dbus.sessionBus({ busAddress });
    const watcher = new Watcher('org.kde.StatusNotifierWatcher');
    bus.export('/StatusNotifierWatcher', watcher);
    await bus.requestName('org.kde.StatusNotifierWatcher', 0);
    return new TrayHost(bus, watcher);
  }

  /** When each icon came, by this process's monotonic clock. */
  get registeredAtMs(): readonly number[] {
    return this.#watcher.registeredAtMs;
  }

  close(): void {
    this.#bus.disconnect();
  }

  /** The item that registered last. */
  async #service(): Promise<string> {
    const endMs = performance.now() + WAIT_MS;
    for (;;) {
      const service = this.#watcher.items.at(-1);
      if (service !== undefined) return service;
      if (performance.now() > endMs) throw new Error('no tray icon came');
      await new Promise((resolve) => setTimeout(resolve, 25));
    }
  }

  async #call(path: string, where: string, member: string, signature: string, body: unknown[]): Promise<unknown[]> {
    const destination = await this.#service();
    const message = new dbus.Message({ destination, path, interface: where, member, signature, body });
    const reply = await this.#bus.call(message);
    return (reply?.body ?? []).map(plain);
  }

  async item(): Promise<TrayItem> {
    const [properties] = await this.#call(ITEM_PATH, 'org.freedesktop.DBus.Properties', 'GetAll', 's', [ITEM]);
    const { ToolTip, Menu, IconPixmap } = Properties.parse(properties);
    return { tooltip: ToolTip[2], menuPath: Menu, pixels: IconPixmap[0]?.[2] ?? Buffer.alloc(0) };
  }

  async menu(): Promise<readonly MenuEntry[]> {
    const { menuPath } = await this.item();
    const [, root] = await this.#call(menuPath, MENU, 'GetLayout', 'iias', [0, -1, []]);
    return entryOf(root).children;
  }

  async labels(): Promise<readonly string[]> {
    return (await this.menu()).map(({ label }) => label).filter((label) => label !== '');
  }

  /** Clicks the entry that is reached by these labels. */
  async click(...labels: readonly string[]): Promise<void> {
    let entries = await this.menu();
    let found: MenuEntry | undefined;
    for (const label of labels) {
      found = entries.find((entry) => entry.label === label);
      if (found === undefined)
        throw new Error(`no entry ${label}; there are: ${entries.map((e) => e.label).join(', ')}`);
      entries = found.children;
    }
    if (found === undefined) throw new Error('no entry was named');
    const { menuPath } = await this.item();
    await this.#call(menuPath, MENU, 'Event', 'isvu', [found.id, 'clicked', new dbus.Variant('i', 0), 0]);
  }

  async clickIcon(): Promise<void> {
    await this.#call(ITEM_PATH, ITEM, 'Activate', 'ii', [0, 0]);
  }
}

const Properties = z.object({
  ToolTip: z.tuple([z.unknown(), z.unknown(), z.string(), z.string()]),
  Menu: z.string(),
  IconPixmap: z.array(z.tuple([z.number(), z.number(), z.instanceof(Buffer)])),
});
const Node = z.tuple([z.number(), z.record(z.string(), z.unknown()), z.array(z.unknown())]);

function entryOf(node: unknown): MenuEntry {
  const [id, { label, enabled }, children] = Node.parse(node);
  // An underscore marks a key to press.
  const text = typeof label === 'string' ? label.replace(/_(?!_)/g, '') : '';
  return { id, label: text, enabled: enabled !== false, children: children.map(entryOf) };
}

/** Without the wrappers that carry a type. */
function plain(value: unknown): unknown {
  if (value instanceof dbus.Variant) return plain(value.value);
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value !== 'object' || value === null || Buffer.isBuffer(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, plain(inner)]));
}
