/** For which system and processor a package is made; only this machine's own system can be. */
export type PackageTarget = { readonly platform: 'linux' | 'darwin' | 'win32'; readonly arch: 'x64' | 'arm64' };

/** Throws where nothing is made for this system or the processor asked for. */
export function targetHere(arch: string = process.arch): PackageTarget {
  const { platform } = process;
  if (platform !== 'linux' && platform !== 'darwin' && platform !== 'win32') {
    throw new Error(`There is no desktop app for ${platform}.`);
  }
  if (arch !== 'x64' && arch !== 'arm64') throw new Error(`There is no desktop app for a processor of type ${arch}.`);
  return { platform, arch };
}
