import path from 'node:path';
import type { PackageTarget } from './target.ts';

/** As electron-builder.yml names it where the system shows no name for a program file. */
const PROGRAM = 'mail-agent';

/** The program in an unpacked package: what runs, and what the fuses are burnt into. */
export function programIn(
  folder: string,
  productName: string,
  platform: PackageTarget['platform'],
): { readonly executable: string; readonly toFuse: string } {
  switch (platform) {
    case 'darwin': {
      const bundle = path.join(folder, `${productName}.app`);
      return { executable: path.join(bundle, 'Contents/MacOS', productName), toFuse: bundle };
    }
    case 'win32': {
      const executable = path.join(folder, `${PROGRAM}.exe`);
      return { executable, toFuse: executable };
    }
    case 'linux': {
      const executable = path.join(folder, PROGRAM);
      return { executable, toFuse: executable };
    }
  }
}

/** The folder of app.asar. */
export const resourcesOf = (folder: string, productName: string, platform: PackageTarget['platform']): string =>
  platform === 'darwin'
    ? path.join(folder, `${productName}.app`, 'Contents/Resources')
    : path.join(folder, 'resources');
