import { FuseV1Options, FuseVersion, flipFuses } from '@electron/fuses';
import type { RuntimeKind } from './stage-app.ts';

/**
 * Every switch that is burnt into the program before it is signed. Source: electronjs.org/docs/latest/tutorial/fuses.
 * An Electron with one more fails the packaging, so that somebody decides about it.
 */
export const SHIPPED_FUSES = {
  /** It would make the signed program run any script. */
  [FuseV1Options.RunAsNode]: false,
  [FuseV1Options.EnableNodeOptionsEnvironmentVariable]: false,
  [FuseV1Options.EnableNodeCliInspectArguments]: false,
  [FuseV1Options.EnableCookieEncryption]: true,
  [FuseV1Options.EnableEmbeddedAsarIntegrityValidation]: true,
  [FuseV1Options.OnlyLoadAppFromAsar]: true,
  /** There is no snapshot of our own. */
  [FuseV1Options.LoadBrowserProcessSpecificV8Snapshot]: false,
  [FuseV1Options.GrantFileProtocolExtraPrivileges]: false,
  [FuseV1Options.WasmTrapHandlers]: true,
} as const;

/** Not known to the older runtime. */
const NEWER: readonly number[] = [FuseV1Options.WasmTrapHandlers];

/** Before signing. `executable` is the program, on macOS the .app folder. */
export async function burnFuses(executable: string, runtime: RuntimeKind, system: NodeJS.Platform): Promise<void> {
  const version = FuseVersion.V1;
  const resetAdHocDarwinSignature = system === 'darwin';
  if (runtime === 'shipped') {
    await flipFuses(executable, {
      ...SHIPPED_FUSES,
      version,
      resetAdHocDarwinSignature,
      strictlyRequireAllFuses: true,
    });
    return;
  }
  const known = Object.entries(SHIPPED_FUSES).filter(([fuse]) => !NEWER.includes(Number(fuse)));
  await flipFuses(executable, { ...Object.fromEntries(known), version });
}
