/** How files begin that a system runs: Windows, Linux, macOS (both byte orders, and for several processors), links. */
const BEGINNINGS: readonly Buffer[] = [
  Buffer.from('MZ'),
  Buffer.from('\x7fELF'),
  Buffer.from('feedface', 'hex'),
  Buffer.from('feedfacf', 'hex'),
  Buffer.from('cefaedfe', 'hex'),
  Buffer.from('cffaedfe', 'hex'),
  Buffer.from('cafebabe', 'hex'),
  Buffer.from('4c0000000114020000000000c000000000000046', 'hex'),
];

/** "MZ" alone may begin a text; a program says where its real header lies and has one there. */
const DOS_HEADER_BYTES = 0x40;
const HEADER_AT = 0x3c;

/** Gives bytes of a file from a place on, fewer where it ends before. */
type ReadAt = (at: number, length: number) => Promise<Buffer>;

/** True for a file that is a program or a link to one, whatever it is called. */
export async function isProgram(readAt: ReadAt): Promise<boolean> {
  const head = await readAt(0, DOS_HEADER_BYTES);
  const begins = BEGINNINGS.find((beginning) => head.subarray(0, beginning.length).equals(beginning));
  if (begins === undefined) return false;
  if (begins.toString('latin1') !== 'MZ') return true;
  if (head.length < DOS_HEADER_BYTES) return false;
  const mark = await readAt(head.readUInt32LE(HEADER_AT), 2);
  return /^(PE|NE|LE|LX)$/.test(mark.toString('latin1'));
}
