/**
 * Endings of programs, scripts, disk images and office files with macros: mail servers refuse them or cost the sender
 * their name for it, and a reader who opens one runs it.
 */
const RUNS = new Set(
  `ade adp apk app appx appxbundle bat cab chm cmd com cpl dll dmg docm dotm ex_ exe hta img inf ins iso isp jar jnlp
  js jse lib lnk mde msc msi msix msixbundle msp mst pif potm ppam ppsm pptm ps1 psc1 reg scf scr sct shb sldm sys url
  vb vbe vbs vhd vhdx vxd wsc wsf wsh xlam xll xlsm xltm`.split(/\s+/),
);

/** Marks nobody sees: they turn the order of what is read, so that gpj.exe looks like exe.jpg. */
const UNSEEN = /[\p{Cf}\p{Cc}]/gu;

/** The ending by which a system would run the file, in lower case; null where it would not. */
export function runnableEnding(name: string): string | null {
  // Windows drops dots and spaces at the end, and takes full-width letters for the plain ones in some programs.
  const seen = name
    .normalize('NFKC')
    .replace(UNSEEN, '')
    .replace(/[. ]+$/, '')
    .toLowerCase();
  const dot = seen.lastIndexOf('.');
  const ending = seen.slice(dot + 1).trim();
  return dot >= 0 && RUNS.has(ending) ? ending : null;
}
