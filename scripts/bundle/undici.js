// What the app uses of undici, in place of its index, which also brings a browser's fetch, sockets, caches and mocks. A
// module with named exports: the build stops where the app uses another.
import api from 'undici/lib/api/index.js';
import buildConnector from 'undici/lib/core/connect.js';
import errors from 'undici/lib/core/errors.js';
import Agent from 'undici/lib/dispatcher/agent.js';
import Dispatcher from 'undici/lib/dispatcher/dispatcher.js';
import Pool from 'undici/lib/dispatcher/pool.js';

// As the index does: methods such as `request` are added to every dispatcher.
Object.assign(Dispatcher.prototype, api);

export { Agent, buildConnector, errors, Pool };
