// What libraries expect of the Node in the Electron that ships, and the Node in this older runtime lacks.
const Module = require('node:module');
const workerThreads = require('node:worker_threads');
const zlib = require('node:zlib');

Promise.withResolvers ??= function withResolvers() {
  let resolve;
  let reject;
  const promise = new this((settle, fail) => {
    resolve = settle;
    reject = fail;
  });
  return { promise, resolve, reject };
};
workerThreads.markAsUncloneable ??= () => undefined;
zlib.createZstdDecompress ??= () => {
  throw new Error('This runtime has no zstd.');
};
Module.syncBuiltinESMExports();
