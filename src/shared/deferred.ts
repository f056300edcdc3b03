export type Deferred<T> = { readonly promise: Promise<T>; readonly resolve: (value: T) => void };

/** A promise and the hand that resolves it; older runtimes of the desktop app lack Promise.withResolvers. */
export function deferred<T>(): Deferred<T> {
  let resolve: (value: T) => void = () => undefined;
  const promise = new Promise<T>((settle) => {
    resolve = settle;
  });
  return { promise, resolve };
}
