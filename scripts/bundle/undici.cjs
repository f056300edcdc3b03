// What the app uses of undici, in place of its index, which also brings a browser's fetch, sockets, caches and mocks.
const Dispatcher = require('undici/lib/dispatcher/dispatcher.js');

// As the index does: methods such as `request` are added to every dispatcher.
Object.assign(Dispatcher.prototype, require('undici/lib/api/index.js'));

const Agent = require('undici/lib/dispatcher/agent.js');

exports.Dispatcher = Dispatcher;
exports.Agent = Agent;
exports.Pool = require('undici/lib/dispatcher/pool.js');
exports.errors = require('undici/lib/core/errors.js');
