import { type FakeOptions, fakeAgent } from './fake-agent.ts';

/** Runs in the page before its own script; the server has put the options in front. */
declare const fakeOptions: FakeOptions;

Object.assign(globalThis, { agent: fakeAgent(fakeOptions) });
