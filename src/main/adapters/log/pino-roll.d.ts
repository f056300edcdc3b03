/** The part of pino-roll that the log uses; the package brings no types. */
declare module 'pino-roll' {
  export type RollingFile = {
    write(line: string): boolean;
    flush(done: (cause?: Error | null) => void): void;
    end(): void;
    destroy(): void;
    on(event: 'error', listener: (cause: Error) => void): void;
    once(event: 'close', listener: () => void): void;
  };
  const openRollingFile: (options: {
    readonly file: string;
    readonly size: string;
    readonly limit: { readonly count: number; readonly removeOtherLogFiles: boolean };
    readonly mode: number;
    readonly maxLength: number;
    readonly minLength: number;
  }) => Promise<RollingFile>;
  // biome-ignore lint/style/noDefaultExport: it is how the package exports its one function
  export default openRollingFile;
}
