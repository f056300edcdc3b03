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

/** True for bytes that are a program or a link to one, whatever the file is called. */
export function isProgram(bytes: Buffer): boolean {
  const begins = BEGINNINGS.find((beginning) => bytes.subarray(0, beginning.length).equals(beginning));
  if (begins === undefined) return false;
  if (begins.toString('latin1') !== 'MZ') return true;
  if (bytes.length < DOS_HEADER_BYTES) return false;
  const at = bytes.readUInt32LE(HEADER_AT);
  return /^(PE|NE|LE|LX)/.test(bytes.subarray(at, at + 2).toString('latin1'));
}
