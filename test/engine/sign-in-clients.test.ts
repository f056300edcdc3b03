import { describe, expect, it } from 'vitest';
import { signInChanges, signInClients } from '../../src/main/engine/sign-in-clients.ts';
import { NO_SIGN_IN } from '../../src/shared/sign-in.ts';
import { World } from '../support/fakes-world.ts';

const holding = (value: unknown) => ({ setting: () => value });
const CLOUD = { endpoints: null, scope: null, setBy: 'cloud' } as const;

describe('what the office says about the sign-in with the browser', () => {
  it('is stored where nothing was, and again only where it is something else', () => {
    const told = { google: { client_id: 'id-1', client_secret: 's' } };

    const [change] = signInChanges(holding(undefined), told);

    const google = { clientId: 'id-1', clientSecret: 's', ...CLOUD };
    expect(change).toEqual({ kind: 'setting', key: 'signIn', value: { ...NO_SIGN_IN, google } });
    expect(signInChanges(holding(change?.kind === 'setting' ? change.value : null), told)).toEqual([]);
  });

  it('is nothing where it says nothing', () => {
    expect(signInChanges(holding({ google: { clientId: 'id', ...CLOUD } }), undefined)).toEqual([]);
  });

  it('takes back what it no longer names', () => {
    const before = { google: { clientId: 'id-1', ...CLOUD }, microsoft: { clientId: 'id-2', ...CLOUD } };

    const [change] = signInChanges(holding(before), { microsoft: { client_id: 'id-2' } });

    const microsoft = { clientId: 'id-2', clientSecret: null, ...CLOUD };
    expect(change).toMatchObject({ value: { google: null, microsoft } });
  });

  it('never moves what was set by hand, and never says where the sign-in is found', () => {
    const byHand = { google: { clientId: 'mine' } };
    const told = { google: { client_id: 'theirs' }, microsoft: { client_id: 'id', endpoints: 'https://evil.example' } };

    const [change] = signInChanges(holding(byHand), told);

    expect(change).toMatchObject({
      value: { google: { clientId: 'mine', setBy: 'hand' }, microsoft: { clientId: 'id', endpoints: null } },
    });
  });

  it('takes the place of a setting that cannot be read', () => {
    expect(signInClients(holding({ google: 7 }))).toEqual(NO_SIGN_IN);
  });

  it('comes with a heartbeat and is on disk then, once', async () => {
    const world = new World();
    world.cloud.signIn = { google: { client_id: 'id-1' } };
    world.start();

    await world.clock.advance(5 * 60_000);

    expect(signInClients(world.ledger).google).toMatchObject({ clientId: 'id-1', setBy: 'cloud' });
  });
});
